/** Line icons, 16 px, drawn for this product: one path each. */
const paths = {
  overview: "M2.5 8.5 8 3l5.5 5.5M4 7.5V13h8V7.5",
  audit: "M3 3.5h10M3 8h10M3 12.5h6",
  agents: "M2.5 3.5h11v7h-11zM6 13.5h4M8 10.5v3M5 6l1.5 1.2L5 8.4",
  policy: "M8 1.8 13 4v4c0 3-2 5.2-5 6.2C5 13.2 3 11 3 8V4z",
  packs: "M2.5 5 8 2l5.5 3v6L8 14l-5.5-3zM2.5 5 8 8l5.5-3M8 8v6",
  playground: "M3 4l3.5 4L3 12M8 12h5",
  posture: "M3 8.5 6.5 12 13 4.5",
  drift: "M2.5 5h8l-2-2.2M13.5 11h-8l2 2.2",
  compliance: "M5 2.5h6M4 3.5h8v10H4zM6 7h4M6 10h4",
  members:
    "M6 7.5a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6M1.8 13c.3-2.4 2-3.7 4.2-3.7s3.9 1.3 4.2 3.7M10.5 7.3a2 2 0 1 0-.6-3.9M11.5 9.5c1.6.3 2.6 1.5 2.8 3.3",
  settings:
    "M2.5 4.5h6M11.5 4.5h2M2.5 11.5h2M7.5 11.5h6M10 6.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4M6 13.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4",
  demo: "M6 2.5h4M7 2.5V6l-3.6 6a1 1 0 0 0 .9 1.5h7.4a1 1 0 0 0 .9-1.5L9 6V2.5M5 10h6",
  close: "M4 4l8 8M12 4l-8 8",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  copy: "M5.5 5.5h7v7h-7zM3.5 10.5v-7h7",
  down: "M4 6.5 8 10.5 12 6.5",
  right: "M6.5 4 10.5 8 6.5 12",
  play: "M5 3.5v9l7-4.5z",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9M10.3 10.3l3.2 3.2",
  download: "M8 2.5v7.5M5 7.5 8 10.5 11 7.5M3 13.5h10",
  sun: "M8 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1",
  moon: "M13 9.5A5.5 5.5 0 1 1 6.5 3a4.5 4.5 0 0 0 6.5 6.5",
  screen: "M2.5 3.5h11v7.5h-11zM6 13.5h4",
  out: "M9.5 3H3.5v10h6M7 8h7M11.5 5.5 14 8l-2.5 2.5",
  warning: "M8 2.5 14 13H2zM8 6.5v3M8 11.2v.3",
  lock: "M3.5 7.5h9v6h-9zM5.5 7.5v-2a2.5 2.5 0 0 1 5 0v2",
} as const;
export type IconName = keyof typeof paths;

export const Icon = ({ name, class: extra = "" }: { name: IconName; class?: string }) => (
  <svg
    viewBox="0 0 16 16"
    class={`size-4 shrink-0 ${extra}`}
    fill="none"
    stroke="currentColor"
    stroke-width="1.4"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d={paths[name]} />
  </svg>
);

/** The product's sign: a gate. */
export const Sign = ({ class: extra = "size-6" }: { class?: string }) => (
  <svg viewBox="0 0 32 32" class={`shrink-0 ${extra}`} aria-hidden="true">
    <rect width="32" height="32" rx="7" class="fill-accent-fill" />
    <path
      d="M8 25V13a8 8 0 0 1 16 0v12M13 25V14a3 3 0 0 1 6 0v11M6 25h20"
      fill="none"
      stroke="#fff"
      stroke-width="2.4"
      stroke-linecap="round"
    />
  </svg>
);
