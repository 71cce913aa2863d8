import { Link } from "wouter-preact";
import { ask, outside } from "../state/api.ts";
import { dropSession, session } from "../state/session.ts";
import { type Theme, theme, themes } from "../state/theme.ts";
import { Icon, type IconName } from "./icons.tsx";

export function AccountMenu() {
  const { account, organisation } = session.value!;
  const signOut = async () => {
    await ask(outside().auth.logout.post()).catch(() => {});
    dropSession();
  };
  return (
    <div class="space-y-2">
      <Link href="/account" class="block rounded-md px-2.5 py-1 hover:bg-raised">
        <span class="block truncate text-sm font-medium">{account.name || account.email}</span>
        <span class="block truncate text-xs text-soft">
          {organisation.role}
          {account.name ? ` · ${account.email}` : ""}
        </span>
      </Link>
      <div class="flex items-center justify-between gap-2">
        <ThemeSwitch />
        <button type="button" class="btn btn-plain btn-small" onClick={signOut}>
          <Icon name="out" /> Sign out
        </button>
      </div>
    </div>
  );
}

const icons: Record<Theme, IconName> = { system: "screen", light: "sun", dark: "moon" };

export const ThemeSwitch = () => (
  <div class="inline-flex rounded-md border border-line p-0.5" role="group" aria-label="Colours">
    {themes.map(one => (
      <button
        key={one}
        type="button"
        class={`flex size-6 items-center justify-center rounded ${theme.value === one ? "bg-raised text-ink" : "text-soft"}`}
        aria-pressed={theme.value === one}
        aria-label={`${one[0]!.toUpperCase()}${one.slice(1)} colours`}
        onClick={() => void (theme.value = one)}
      >
        <Icon name={icons[one]} class="size-3.5" />
      </button>
    ))}
  </div>
);
