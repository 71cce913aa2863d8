import type { ComponentChild } from "preact";
import { Link } from "wouter-preact";
import type { AuditRecord } from "../../domain/audit/record.ts";
import { api, ask } from "../state/api.ts";
import { inDemo } from "../state/demo.ts";
import { useAsk } from "../state/use-ask.ts";
import { Badge, DecisionBadge } from "./badges.tsx";
import { CopyButton } from "./copy.tsx";
import { Dialog } from "./dialog.tsx";
import { Disclosure } from "./disclosure.tsx";
import { Facts } from "./page.tsx";
import { Failure, Loading } from "./states.tsx";
import { Time } from "./time.tsx";
import { Words } from "./words.tsx";

type Proven = AuditRecord & { leaf: string; salt: string | null; body: string | null };

interface Trace {
  reasons?: string[];
  via?: string[][];
  spans?: ([number, number] | null)[];
  mode?: string;
  enforced?: boolean;
  policy_version?: number;
}

/** One entry: what happened, why it was judged so, and what proves it. */
export function AuditDrawer({
  seq,
  agents,
  onClose,
  onMove,
}: {
  seq: number;
  agents: Map<string, string>;
  onClose(): void;
  onMove(seq: number): void;
}) {
  const asked = useAsk(
    async () =>
      (await ask(
        api()
          .audit({ seq: String(seq) })
          .get(),
      )) as unknown as Proven,
    [seq],
  );
  return (
    <Dialog kind="drawer" title={`Entry ${seq}`} onClose={onClose}>
      {asked.error && <Failure error={asked.error} retry={asked.reload} />}
      {!asked.data && !asked.error && <Loading />}
      {asked.data && asked.data.seq === seq && <Entry entry={asked.data} agents={agents} onMove={onMove} />}
    </Dialog>
  );
}

function Entry({ entry, agents, onMove }: { entry: Proven; agents: Map<string, string>; onMove(seq: number): void }) {
  const { leaf, salt, body, ...event } = entry;
  const trace = (entry.attributes ?? {}) as Trace;
  const text = entry.action?.command;
  const agent = entry.agent_id ? (agents.get(entry.agent_id) ?? entry.agent_id) : undefined;
  const actor = entry.actor as { email?: string; id?: string } | undefined;
  return (
    <div class="space-y-4 text-sm">
      <div class="flex flex-wrap items-center gap-2">
        {entry.decision && <DecisionBadge decision={entry.decision} />}
        <Badge>{entry.type}</Badge>
        {trace.enforced === false && entry.decision && <Badge tone="warn">recorded, not enforced</Badge>}
        <span class="ml-auto text-soft">
          <Time iso={entry.received_at} long />
        </span>
      </div>
      {text !== undefined && <Marked text={text} spans={(trace.spans ?? []).filter(span => span !== null)} />}
      {entry.action?.tool && (
        <pre class="code">
          {[entry.action.server, entry.action.tool].filter(Boolean).join(" › ")}
          {"\n"}
          {JSON.stringify(entry.action.args ?? {}, null, 2)}
        </pre>
      )}
      {entry.decision && <DecisionTrace entry={entry} trace={trace} />}
      <div class="-mx-4 border-y border-line">
        <Facts
          rows={[
            ...(agent
              ? [
                  [
                    "Agent",
                    <Link key="agent" class="link" href={`/agents/${entry.agent_id}`}>
                      {agent}
                    </Link>,
                  ] as [string, ComponentChild],
                ]
              : []),
            ...(actor ? [["By", actor.email ?? actor.id] as [string, ComponentChild]] : []),
            ...(entry.client ? [["Coding agent", entry.client] as [string, ComponentChild]] : []),
            ...(entry.session_id
              ? [
                  [
                    "Session",
                    <Link
                      key="session"
                      class="link break-all"
                      href={`/audit?session_id=${encodeURIComponent(entry.session_id)}&range=all`}
                    >
                      {entry.session_id}
                    </Link>,
                  ] as [string, ComponentChild],
                ]
              : []),
            ...(entry.action?.cwd
              ? [
                  [
                    "Folder",
                    <code key="cwd" class="break-all">
                      {entry.action.cwd}
                    </code>,
                  ] as [string, ComponentChild],
                ]
              : []),
            ...(entry.time
              ? [["Agent's clock", <Time key="time" iso={entry.time} long />] as [string, ComponentChild]]
              : []),
          ]}
        />
      </div>
      <ChainNeighbours entry={entry} onMove={onMove} />
      <Disclosure title="As JSON">
        <pre class="code max-h-96 overflow-auto">{JSON.stringify(event, null, 2)}</pre>
      </Disclosure>
      <Disclosure title="Leaf, salt and body">
        <Facts
          rows={[
            [
              "Leaf",
              <code key="leaf" class="break-all">
                {leaf}
              </code>,
            ],
            [
              "Salt",
              <code key="salt" class="break-all">
                {salt ?? "erased"}
              </code>,
            ],
          ]}
        />
        <pre class="code max-h-60 overflow-auto">
          {body ?? "The body was erased; its digest still proves that it was there."}
        </pre>
      </Disclosure>
      <div class="flex flex-wrap gap-2">
        <CopyButton text={() => curlOf(entry.seq)} label="Copy as curl" />
        <CopyButton text={() => JSON.stringify(event, null, 2)} label="Copy JSON" />
        {text !== undefined && (
          <Link class="btn btn-small" href={`/playground?command=${encodeURIComponent(text)}`}>
            Open in the playground
          </Link>
        )}
      </div>
    </div>
  );
}

const curlOf = (seq: number) => {
  const demo = inDemo();
  const header = demo ? '-H "x-demo-session: $GATEHOUSE_DEMO"' : '-H "authorization: Bearer $GATEHOUSE_TOKEN"';
  return `curl -s "${location.origin}/api${demo ? "/demo" : ""}/audit/${seq}" ${header}`;
};

/** The command with the parts that rules matched. */
function Marked({ text, spans }: { text: string; spans: [number, number][] }) {
  const edges = [...new Set([0, text.length, ...spans.flat()])].filter(at => at <= text.length).sort((a, b) => a - b);
  const pieces = edges.slice(0, -1).map((from, at) => {
    const to = edges[at + 1]!;
    return { from, piece: text.slice(from, to), hit: spans.some(([start, end]) => start <= from && to <= end) };
  });
  return (
    <pre class="code break-all whitespace-pre-wrap">
      {pieces.map(({ from, piece, hit }) =>
        hit ? (
          <mark key={from} class="rounded bg-block-wash text-block">
            {piece}
          </mark>
        ) : (
          piece
        ),
      )}
    </pre>
  );
}

const DecisionTrace = ({ entry, trace }: { entry: AuditRecord; trace: Trace }) => (
  <div>
    <h3>Why</h3>
    {(entry.rules ?? []).length === 0 ? (
      <p class="mt-1 text-soft">
        <Words text={trace.reasons?.join(" ") || "No rule has anything against it."} />
      </p>
    ) : (
      <ol class="mt-1 space-y-2">
        {entry.rules!.map((rule, at) => (
          <li key={rule} class="rounded-md border border-line px-3 py-2">
            <Link class="link font-mono text-[0.8125rem]" href={`/audit?rule=${encodeURIComponent(rule)}`}>
              {rule}
            </Link>
            <p class="mt-0.5">
              <Words text={trace.reasons?.[at] ?? ""} />
            </p>
            <Unwrapping via={trace.via?.[at] ?? []} />
          </li>
        ))}
      </ol>
    )}
    {trace.policy_version !== undefined && (
      <p class="mt-1.5 text-xs text-soft">
        By{" "}
        <Link class="link" href={`/policy?tab=history&version=${trace.policy_version}`}>
          policy version {trace.policy_version}
        </Link>
      </p>
    )}
  </div>
);

/** The layers a command was hidden in, outermost first. */
export const Unwrapping = ({ via }: { via: string[] }) =>
  via.length === 0 ? null : (
    <p class="mt-1 flex flex-wrap items-center gap-1 text-xs text-soft">
      reached through
      {via.map((step, at) => (
        <span key={`${at}${step}`} class="flex items-center gap-1">
          <code class="rounded bg-raised px-1 text-xs">{step}</code>
          {at < via.length - 1 && "→"}
        </span>
      ))}
    </p>
  );

const ChainNeighbours = ({ entry, onMove }: { entry: Proven; onMove(seq: number): void }) => {
  const { prev } = JSON.parse(entry.leaf) as { prev: string };
  return (
    <div>
      <h3>In the chain</h3>
      <ol class="mt-1 space-y-1">
        <li class="flex items-center gap-2">
          <button type="button" class="btn btn-small" disabled={entry.seq === 0} onClick={() => onMove(entry.seq - 1)}>
            Entry {entry.seq - 1}
          </button>
          <code class="truncate text-xs text-soft" title={prev}>
            {entry.seq === 0 ? "the chain starts here" : prev}
          </code>
        </li>
        <li class="flex items-center gap-2">
          <span class="btn btn-small border-accent">Entry {entry.seq}</span>
          <code class="truncate text-xs" title={entry.hash}>
            {entry.hash}
          </code>
        </li>
        <li class="flex items-center gap-2">
          <button type="button" class="btn btn-small" onClick={() => onMove(entry.seq + 1)}>
            Entry {entry.seq + 1}
          </button>
          <Link class="link text-xs" href={`/posture/chain?first=${Math.max(0, entry.seq - 50)}&last=${entry.seq}`}>
            verify up to here
          </Link>
        </li>
      </ol>
    </div>
  );
};
