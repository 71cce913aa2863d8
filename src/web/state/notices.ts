import { signal } from "@preact/signals";

/** Short confirmations at the edge of the page; read out by screen readers, gone after a while. */
export interface Notice {
  id: number;
  text: string;
}

export const notices = signal<Notice[]>([]);
const SHOWN_MS = 5000;
let last = 0;

export function notify(text: string): void {
  const id = ++last;
  notices.value = [...notices.value, { id, text }];
  setTimeout(() => dismiss(id), SHOWN_MS);
}

export const dismiss = (id: number): void => {
  notices.value = notices.value.filter(one => one.id !== id);
};
