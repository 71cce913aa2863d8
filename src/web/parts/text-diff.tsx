import { diffLines } from "diff";
import { Scroll } from "./page.tsx";

/** What changed between two texts, line by line; long unchanged stretches are folded. */
export function TextDiff({ before, after, label }: { before: string; after: string; label: string }) {
  const parts = diffLines(before, after);
  if (parts.every(({ added, removed }) => !added && !removed))
    return <p class="p-4 text-sm text-soft">Nothing differs.</p>;
  return (
    <Scroll label={label}>
      <pre class="min-w-max py-2 leading-relaxed">
        {parts.map(({ added, removed, value }, at) => {
          const sign = added ? "+" : removed ? "−" : " ";
          const tone = added ? "bg-allow-wash text-allow" : removed ? "bg-block-wash text-block" : "text-soft";
          const lines =
            added || removed ? value.replace(/\n$/, "").split("\n") : folded(value, at === 0, at === parts.length - 1);
          return lines.map((line, index) => (
            <div key={`${at}-${index}`} class={`px-4 ${tone}`}>
              {sign} {line}
            </div>
          ));
        })}
      </pre>
    </Scroll>
  );
}

const AROUND = 3;

function folded(value: string, first: boolean, last: boolean): string[] {
  const lines = value.replace(/\n$/, "").split("\n");
  const head = first ? [] : lines.slice(0, AROUND);
  const tail = last ? [] : lines.slice(-AROUND);
  if (lines.length <= AROUND * 2 + 1) return lines;
  return [...head, `⋯ ${lines.length - head.length - tail.length} lines`, ...tail];
}
