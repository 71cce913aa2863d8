import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Link, useLocation, useRoute } from "wouter-preact";
import { inDemo } from "../state/demo.ts";
import { session } from "../state/session.ts";
import { AccountMenu, ThemeSwitch } from "./account-menu.tsx";
import { DemoBanner } from "./demo-gate.tsx";
import { Icon, type IconName, Sign } from "./icons.tsx";
import { ModeBadge } from "./mode.tsx";
import { RangePicker } from "./range-picker.tsx";

const groups: [string, [string, string, IconName][]][] = [
  [
    "Watch",
    [
      ["/", "Overview", "overview"],
      ["/audit", "Audit log", "audit"],
      ["/agents", "Agents", "agents"],
    ],
  ],
  [
    "Govern",
    [
      ["/policy", "Policy", "policy"],
      ["/packs", "Packs", "packs"],
      ["/playground", "Playground", "playground"],
    ],
  ],
  [
    "Prove",
    [
      ["/posture", "Posture", "posture"],
      ["/drift", "Drift", "drift"],
      ["/compliance", "Compliance", "compliance"],
    ],
  ],
  [
    "Organisation",
    [
      ["/members", "Members", "members"],
      ["/settings", "Settings", "settings"],
    ],
  ],
];

/** Pages whose figures follow the time range. */
const ranged = /^\/(audit|agents\/[^/]+)?$/;

export function Shell({ children }: { children: ComponentChildren }) {
  const [open, setOpen] = useState(false);
  const [path] = useLocation();
  useEffect(() => setOpen(false), [path]);
  const onKeyDown = (event: KeyboardEvent) => event.key === "Escape" && setOpen(false);
  // On narrow screens the menu covers the page: it goes when the keyboard leaves it.
  const onFocusOut = ({ currentTarget, relatedTarget }: FocusEvent) =>
    relatedTarget && !(currentTarget as Node).contains(relatedTarget as Node) && setOpen(false);
  return (
    <div class="min-h-dvh md:grid md:grid-cols-[13.5rem_minmax(0,1fr)]">
      <a
        href="#main"
        class="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded focus:bg-panel focus:px-3 focus:py-2"
      >
        Skip to the page
      </a>
      <aside
        onKeyDown={onKeyDown}
        onFocusOut={onFocusOut}
        class={`${open ? "fixed inset-0 z-40 flex" : "hidden"} flex-col overflow-y-auto border-r border-line bg-panel md:sticky md:top-0 md:flex md:h-dvh`}
      >
        <div class="flex h-14 shrink-0 items-center gap-2.5 px-4">
          <Sign />
          <span class="text-[0.9375rem] font-semibold tracking-tight">Gatehouse</span>
          <button
            type="button"
            class="btn btn-plain btn-small ml-auto md:hidden"
            onClick={() => setOpen(false)}
            aria-label="Close menu"
          >
            <Icon name="close" />
          </button>
        </div>
        <nav aria-label="Pages" class="flex-1 space-y-4 px-2.5 py-2">
          {groups.map(([title, links]) => (
            <div key={title}>
              <p class="px-2.5 pb-1 text-xs font-medium text-soft">{title}</p>
              {links.map(([href, text, icon]) => (
                <NavLink key={href} href={href} text={text} icon={icon} />
              ))}
            </div>
          ))}
        </nav>
        <div class="shrink-0 border-t border-line p-2.5">
          {inDemo() ? <ThemeSwitch /> : session.value ? <AccountMenu /> : <SignInLink />}
        </div>
      </aside>
      <div class="min-w-0">
        <header class="sticky top-0 z-20 flex h-14 items-center gap-3 border-b border-line bg-panel/95 px-4 backdrop-blur sm:px-6">
          <button
            type="button"
            class="btn btn-plain -ml-2 md:hidden"
            onClick={() => setOpen(true)}
            aria-label="Open menu"
          >
            <Icon name="menu" />
          </button>
          <span class="min-w-0 truncate text-sm font-medium">
            {inDemo() ? "Demo workspace" : session.value?.organisation.name}
          </span>
          <ModeBadge />
          <div class="ml-auto">{ranged.test(path) && <RangePicker />}</div>
        </header>
        {inDemo() && <DemoBanner />}
        <main id="main">{children}</main>
      </div>
    </div>
  );
}

function NavLink({ href, text, icon }: { href: string; text: string; icon: IconName }) {
  const [here] = useRoute(href === "/" ? "/" : `${href}/*?`);
  return (
    <Link href={href} class="nav-link" aria-current={here ? "page" : undefined}>
      <Icon name={icon} />
      {text}
    </Link>
  );
}

const SignInLink = () => (
  <Link href="/sign-in" class="btn w-full">
    Sign in
  </Link>
);
