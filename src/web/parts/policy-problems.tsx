import type { Findings } from "../pages/policy.tsx";
import type { Problem } from "../../domain/policy/rules/parse.ts";
import { plural } from "../state/times.ts";
import { Failure } from "./states.tsx";

/** Beside the editor: what is wrong, and what its author should look at again. */
export const PolicyProblems = ({ findings: { problems, hints, checking, error } }: { findings: Findings }) => (
  <aside aria-label="Findings" aria-live="polite" class="border-line text-sm max-lg:border-t lg:border-l">
    <p class={`border-b border-line px-4 py-2 font-medium ${problems.length > 0 ? "text-block" : "text-allow"}`}>
      {checking
        ? "Checking…"
        : error
          ? "Not checked"
          : problems.length > 0
            ? `${plural(problems.length, "mistake")}: cannot be saved`
            : "No mistakes"}
    </p>
    {error && <Failure error={error} />}
    <ul class="divide-y divide-line">
      {problems.map(problem => (
        <Row key={problem.path + problem.message} problem={problem} tone="text-block" />
      ))}
      {hints.map(problem => (
        <Row key={problem.path + problem.message} problem={problem} tone="text-warn" />
      ))}
    </ul>
  </aside>
);

const Row = ({ problem: { line, column, message }, tone }: { problem: Problem; tone: string }) => (
  <li class="px-4 py-2">
    <p class={`text-xs ${tone}`}>{`Line ${line}, column ${column}`}</p>
    <p>{message}</p>
  </li>
);
