import { effect, signal } from "@preact/signals";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];
const KEY = "gatehouse.theme";

const kept = localStorage.getItem(KEY) as Theme | null;
export const theme = signal<Theme>(kept && themes.includes(kept) ? kept : "system");

effect(() => {
  document.documentElement.dataset["theme"] = theme.value;
  localStorage.setItem(KEY, theme.value);
});
