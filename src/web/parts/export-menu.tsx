import { Link } from "wouter-preact";
import { raw } from "../state/api.ts";
import type { AuditFilters } from "../state/audit-feed.ts";
import { useAct } from "../state/use-ask.ts";
import { Icon } from "./icons.tsx";
import { Menu } from "./menu.tsx";
import { Failure } from "./states.tsx";

const formats = [
  ["ndjson", "NDJSON", "every entry as shown here"],
  ["csv", "CSV", "for spreadsheets"],
  ["ocsf", "OCSF", "for a SIEM"],
  ["leaves", "Leaves", "exact bytes of the range, to verify with outside tools"],
] as const;

/** Saves a reply as a file, under the name the server gave it. */
export async function download(path: string, fallback: string): Promise<void> {
  const response = await raw(path);
  const name = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? fallback;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** The list as it is filtered, or the raw leaves of its time range. */
export function ExportMenu({ filters, window }: { filters: AuditFilters; window: { from?: string; to?: string } }) {
  const { busy, error, act } = useAct();
  const save = (format: string) => {
    const query = new URLSearchParams({ format, ...window, ...(format === "leaves" ? {} : filters) });
    return act(() => download(`/audit/export?${query}`, `audit.${format}`));
  };
  const chain = new URLSearchParams({
    ...(window.from ? { first: window.from } : {}),
    ...(window.to ? { last: window.to } : {}),
  });
  return (
    <>
      <Menu
        button={
          <>
            <Icon name="download" /> {busy ? "Exporting…" : "Export"}
          </>
        }
      >
        <p class="px-2 pt-1 pb-1.5 text-xs text-soft">The time range and filters shown</p>
        {formats.map(([format, text, says]) => (
          <button
            key={format}
            type="button"
            class="facet h-auto flex-col items-start gap-0 py-1.5"
            onClick={() => save(format)}
          >
            <span class="font-medium">{text}</span>
            <span class="text-xs text-soft">{says}</span>
          </button>
        ))}
        <Link class="facet mt-1.5 border-t border-line" href={`/posture/chain?${chain}`}>
          Verify this time range
        </Link>
      </Menu>
      {error && <Failure error={error} />}
    </>
  );
}
