import type { Findings } from "../pages/policy.tsx";
import type { Problem } from "../../domain/policy/rules/parse.ts";
import { plural } from "../state/times.ts";
import { Failure } from "./states.tsx";
import { Words } from "./words.tsx";

/** Beside the editor: what is wrong, and what its author should look at again. */
export const PolicyProblems = ({
  findings: { problems, hints, checking, error },
  onGo,
}: {
  findings: Findings;
  onGo(place: { line: number; column: number }): void;
}) => (
  <aside aria-label="Findings" aria-live="polite" class="border-line text-sm max-lg:border-t lg:border-l">
    <p
      class={`border-b border-line px-4 py-2 font-medium ${checking || error ? "text-soft" : problems.length > 0 ? "text-block" : "text-allow"}`}
    >
      {checking
        ? "Checking…"
        : error
          ? "Not checked"
          : problems.length > 0
            ? `${plural(problems.length, "mistake")}: cannot be saved`
            : "No mistakes"}
    </p>
    {error && <Failure error={error} />}
    {!checking && !error && problems.length === 0 && hints.length === 0 && (
      <p class="px-4 py-2 text-soft">
        Ctrl+Space shows what may stand here. What each word means: <code>docs/policy-language.md</code>
      </p>
    )}
    <ul class="divide-y divide-line">
      {problems.map(problem => (
        <Row key={problem.path + problem.message} problem={problem} tone="text-block" onGo={onGo} />
      ))}
      {hints.map(problem => (
        <Row key={problem.path + problem.message} problem={problem} tone="text-warn" onGo={onGo} />
      ))}
    </ul>
  </aside>
);

const Row = ({
  problem: { line, column, message },
  tone,
  onGo,
}: {
  problem: Problem;
  tone: string;
  onGo(place: { line: number; column: number }): void;
}) => (
  <li>
    <button
      type="button"
      class="block w-full px-4 py-2 text-left hover:bg-raised"
      onClick={() => onGo({ line, column })}
    >
      <span class={`block text-xs ${tone}`}>{`Line ${line}, column ${column}`}</span>
      <span class="block break-words">
        <Words text={message} />
      </span>
    </button>
  </li>
);
