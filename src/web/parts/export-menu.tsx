import { raw } from "../state/api.ts";
import { useAct } from "../state/use-ask.ts";
import { Icon } from "./icons.tsx";
import { Menu } from "./menu.tsx";
import { Failure } from "./states.tsx";

const formats = [
  ["ndjson", "NDJSON", "every entry as shown here"],
  ["csv", "CSV", "for spreadsheets"],
  ["ocsf", "OCSF", "for a SIEM"],
  ["leaves", "Leaves", "exact bytes, to verify with outside tools"],
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

export function ExportMenu() {
  const { busy, error, act } = useAct();
  return (
    <>
      <Menu
        button={
          <>
            <Icon name="download" /> {busy ? "Exporting…" : "Export"}
          </>
        }
      >
        {formats.map(([format, text, says]) => (
          <button
            key={format}
            type="button"
            class="facet h-auto flex-col items-start gap-0 py-1.5"
            onClick={() => act(() => download(`/audit/export?format=${format}`, `audit.${format}`))}
          >
            <span class="font-medium">{text}</span>
            <span class="text-xs text-soft">{says}</span>
          </button>
        ))}
      </Menu>
      {error && <Failure error={error} />}
    </>
  );
}
