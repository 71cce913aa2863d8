import type { ComponentType } from "preact";

/** Every page: its address, and where its code comes from. The server answers these addresses with the page, all others as the API would. */
export interface PageEntry {
  path: string;
  load(): Promise<{ default: ComponentType }>;
  /** Shown without being signed in. */
  open?: true;
  /** Shown below /demo too. */
  demo?: true;
}

export const pages: readonly PageEntry[] = [
  { path: "/", demo: true, load: () => import("./pages/overview.tsx") },
  { path: "/audit", demo: true, load: () => import("./pages/audit.tsx") },
  { path: "/agents", demo: true, load: () => import("./pages/agents.tsx") },
  { path: "/agents/:id", demo: true, load: () => import("./pages/agent.tsx") },
  { path: "/policy", demo: true, load: () => import("./pages/policy.tsx") },
  { path: "/packs", demo: true, load: () => import("./pages/packs.tsx") },
  { path: "/packs/:name", demo: true, load: () => import("./pages/pack.tsx") },
  { path: "/playground", demo: true, open: true, load: () => import("./pages/playground.tsx") },
  { path: "/posture", demo: true, load: () => import("./pages/posture.tsx") },
  { path: "/posture/chain", demo: true, load: () => import("./pages/chain.tsx") },
  { path: "/drift", demo: true, load: () => import("./pages/drift.tsx") },
  { path: "/compliance", demo: true, load: () => import("./pages/compliance.tsx") },
  { path: "/compliance/scans", demo: true, load: () => import("./pages/scans.tsx") },
  { path: "/compliance/scans/:id", demo: true, load: () => import("./pages/scan.tsx") },
  { path: "/members", demo: true, load: () => import("./pages/members.tsx") },
  { path: "/settings", demo: true, load: () => import("./pages/settings.tsx") },
  { path: "/account", load: () => import("./pages/account.tsx") },
  { path: "/device", load: () => import("./pages/device.tsx") },
  { path: "/setup", open: true, load: () => import("./pages/setup.tsx") },
  { path: "/sign-in", open: true, load: () => import("./pages/sign-in.tsx") },
  { path: "/sign-in/callback", open: true, load: () => import("./pages/sign-in-callback.tsx") },
  { path: "/invitation", open: true, load: () => import("./pages/invitation.tsx") },
];

export const pagePaths: readonly string[] = [
  ...pages.map(({ path }) => path),
  ...pages.flatMap(({ path, demo }) => (demo ? [path === "/" ? "/demo" : `/demo${path}`] : [])),
];
