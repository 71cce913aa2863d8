import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { Command } from "../parts/copy.tsx";
import { Disclosure } from "../parts/disclosure.tsx";
import { download } from "../parts/export-menu.tsx";
import { Field, Form } from "../parts/form.tsx";
import { Icon } from "../parts/icons.tsx";
import { Card, Facts, Page } from "../parts/page.tsx";
import { Failure } from "../parts/states.tsx";
import { api, ask } from "../state/api.ts";
import { useFilters } from "../state/filters.ts";
import { number, plural } from "../state/times.ts";
import { useAct, useAsk } from "../state/use-ask.ts";
import { type BrowserVerdict, logKey, verifyHere, type WindowAsked } from "../state/verify.ts";

interface Verified {
  server?: Awaited<ReturnType<typeof ofWindow>>;
  browser?: BrowserVerdict;
}

export default function Chain() {
  return (
    <Page
      title="Verify the chain"
      says={
        <>
          <Link class="link" href="/posture">
            Posture
          </Link>{" "}
          · Every entry names the hash of the one before, and a signed checkpoint names them all.
        </>
      }
    >
      <Bench />
      <Outside />
    </Page>
  );
}

const ofWindow = ({ from, to }: WindowAsked) =>
  ask(api().posture["attestation-chain"].get({ query: { ...(from ? { from } : {}), ...(to ? { to } : {}) } }));

/** One window, verified twice: by the server that keeps the log, and by this browser that does not believe it. */
function Bench() {
  const [{ first, last }, setFilters] = useFilters(["first", "last"] as const);
  const asked = { from: first, to: last };
  const [bytes, setBytes] = useState(0);
  const [done, setDone] = useState<Verified>({});
  const server = useAct();
  const browser = useAct();
  const run = (window: WindowAsked) => {
    setDone({});
    setBytes(0);
    return Promise.all([
      server.act(async () => {
        const result = await ofWindow(window);
        setDone(before => ({ ...before, server: result }));
      }),
      browser.act(async () => {
        const result = await verifyHere(window, setBytes);
        setDone(before => ({ ...before, browser: result }));
      }),
    ]);
  };
  useEffect(() => {
    if (first || last) void run(asked);
  }, []);
  return (
    <>
      <Card title="Window">
        <div class="p-4">
          <Form
            action="Verify"
            work={async values => {
              const window = { from: values["from"]?.trim() || undefined, to: values["to"]?.trim() || undefined };
              setFilters({ first: window.from, last: window.to });
              await run(window);
            }}
          >
            <div class="grid max-w-xl gap-3 sm:grid-cols-2">
              <Field label="From" name="from" value={first ?? ""} placeholder="0" hint="Entry number or time (UTC)" />
              <Field
                label="To"
                name="to"
                value={last ?? ""}
                placeholder="the newest"
                hint="Empty: to the newest entry"
              />
            </div>
          </Form>
        </div>
      </Card>
      <div class="grid items-start gap-4 lg:grid-cols-2">
        <Card title="By the server">
          <div class="space-y-3 p-4 text-sm">
            <p class="text-soft">
              Recomputes every hash of the stored window: edits, gaps, reordering, truncation and roll-back all show.
            </p>
            {server.busy && <progress class="block w-full" aria-label="The server verifies" />}
            {server.error && <Failure error={server.error} />}
            {done.server && <ServerResult result={done.server} />}
          </div>
        </Card>
        <Card title="By this browser">
          <div class="space-y-3 p-4 text-sm">
            <p class="text-soft">
              Fetches the raw leaves, the path of the last one and the signed root, and recomputes all of it here. The
              server is not believed.
            </p>
            {browser.busy && (
              <>
                <progress class="block w-full" aria-label="The browser verifies" />
                <p class="text-xs text-soft">{number(Math.round(bytes / 1024))} KiB read</p>
              </>
            )}
            {browser.error && <Failure error={browser.error} />}
            {done.browser && <BrowserResult result={done.browser} />}
          </div>
        </Card>
      </div>
    </>
  );
}

const Said = ({ valid, children }: { valid: boolean; children: ComponentChildren }) => (
  <p role="status" class={`flex items-start gap-2 font-medium ${valid ? "text-allow" : "text-block"}`}>
    <Icon name={valid ? "posture" : "warning"} class="mt-0.5" /> <span>{children}</span>
  </p>
);

const ServerResult = ({ result }: { result: NonNullable<Verified["server"]> }) => (
  <>
    <Said valid={result.valid}>
      {result.valid ? `${plural(result.count, "entry")} verified: every link holds` : "The chain is broken"}
    </Said>
    {result.first_break && (
      <p class="break-all">
        At entry{" "}
        <Link class="link" href={`/audit?entry=${result.first_break.seq}&range=all`}>
          {result.first_break.seq}
        </Link>
        : expected <code>{result.first_break.expected}</code>, found <code>{result.first_break.found}</code>.
      </p>
    )}
    <div class="-mx-4">
      <Facts
        rows={[
          ["Window", `entries ${result.from} to ${result.to}`],
          [
            "Head",
            <code key="head" class="break-all">
              {result.head.seq}: {result.head.hash}
            </code>,
          ],
        ]}
      />
    </div>
  </>
);

const BrowserResult = ({ result: { verdict, took_ms, vkey, checkpoint } }: { result: BrowserVerdict }) => (
  <>
    <Said valid={verdict.valid}>
      {verdict.valid
        ? `${plural(verdict.count, "leaf")} (${verdict.from} to ${verdict.to}), root and signature verified in ${Math.round(took_ms)} ms`
        : flaws[verdict.flaw]}
      {!verdict.valid && verdict.seq !== undefined && ` (entry ${verdict.seq})`}
    </Said>
    <Disclosure title="What was signed">
      <pre class="code whitespace-pre-wrap break-all">{checkpoint}</pre>
      <p class="mt-2 text-xs text-soft">
        Key <code class="text-xs break-all">{vkey}</code>
      </p>
    </Disclosure>
  </>
);

const flaws = {
  bad_key: "The log's key is malformed",
  bad_signature: "The checkpoint is not signed by the log's key",
  bad_leaf: "A leaf is not in its canonical form",
  broken_chain: "A link does not hold",
  truncated: "Entries of the window are missing",
  wrong_root: "The leaves do not lead to the signed root",
};

const Outside = () => {
  const { error, act } = useAct();
  const key = useAsk(logKey, []);
  return (
    <Card title="With tools nobody here wrote">
      <div class="space-y-3 p-4 text-sm">
        <p class="text-soft">
          The checkpoint is a C2SP signed note over an RFC 6962 tree. Give these two files and the key to an auditor.
        </p>
        <div class="flex flex-wrap gap-2">
          <button type="button" class="btn" onClick={() => act(() => download("/posture/checkpoint", "checkpoint"))}>
            Download checkpoint
          </button>
          <button
            type="button"
            class="btn"
            onClick={() => act(() => download("/audit/export?format=leaves", "leaves.jsonl"))}
          >
            Download leaves
          </button>
        </div>
        <Command
          text={`gatehouse verify --leaves audit-leaves.jsonl --checkpoint checkpoint --vkey '${key.data ?? "…"}'`}
        />
        {error && <Failure error={error} />}
      </div>
    </Card>
  );
};
