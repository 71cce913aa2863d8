import { useEffect, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { Command } from "../parts/copy.tsx";
import { download } from "../parts/export-menu.tsx";
import { Field, Form } from "../parts/form.tsx";
import { Card, Facts, Page } from "../parts/page.tsx";
import { Failure } from "../parts/states.tsx";
import { api, ask } from "../state/api.ts";
import { useFilters } from "../state/filters.ts";
import { number } from "../state/times.ts";
import { useAct } from "../state/use-ask.ts";
import { type BrowserVerdict, verifyHere } from "../state/verify.ts";

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
      <div class="grid items-start gap-4 lg:grid-cols-2">
        <Server />
        <Browser />
      </div>
      <Outside />
    </Page>
  );
}

const ofWindow = (from?: string, to?: string) =>
  ask(api().posture["attestation-chain"].get({ query: { ...(from ? { from } : {}), ...(to ? { to } : {}) } }));

function Server() {
  const [{ from, to }, setFilters] = useFilters(["from", "to"] as const);
  const [result, setResult] = useState<Awaited<ReturnType<typeof ofWindow>>>();
  const { busy, error, act } = useAct();
  const run = () => act(async () => setResult(await ofWindow(from, to)));
  useEffect(() => {
    if (from || to) void run();
  }, [from, to]);
  return (
    <Card title="By the server">
      <div class="space-y-4 p-4">
        <p class="text-sm text-soft">
          Recomputes every hash of the stored window: edits, gaps, reordering, truncation and roll-back all show.
        </p>
        <Form
          action={busy ? "Verifying…" : "Verify"}
          work={async values => {
            setFilters({ from: values["from"] || undefined, to: values["to"] || undefined });
            if ((values["from"] ?? "") === (from ?? "") && (values["to"] ?? "") === (to ?? "")) await run();
          }}
        >
          <div class="grid grid-cols-2 gap-3">
            <Field label="From" name="from" value={from ?? ""} placeholder="0" hint="Entry number or time" />
            <Field label="To" name="to" value={to ?? ""} placeholder="the newest" hint="Empty: the whole log" />
          </div>
        </Form>
        {busy && <progress class="w-full" aria-label="Verifying" />}
        {error && <Failure error={error} />}
        {!busy && result && (
          <div role="status">
            <p class={`font-medium ${result.valid ? "text-allow" : "text-block"}`}>
              {result.valid ? `${number(result.count)} entries verified: every link holds` : "The chain is broken"}
            </p>
            {result.first_break && (
              <p class="mt-1 text-sm break-all">
                At entry{" "}
                <Link class="link" href={`/audit?entry=${result.first_break.seq}`}>
                  {result.first_break.seq}
                </Link>
                : expected <code>{result.first_break.expected}</code>, found <code>{result.first_break.found}</code>.
              </p>
            )}
            <div class="-mx-4">
              <Facts
                rows={[
                  ["Window", `${result.from} to ${result.to}`],
                  [
                    "Head",
                    <code key="head" class="break-all">
                      {result.head.seq}: {result.head.hash}
                    </code>,
                  ],
                ]}
              />
            </div>
          </div>
        )}
      </div>
    </Card>
  );
}

function Browser() {
  const [bytes, setBytes] = useState(0);
  const [result, setResult] = useState<BrowserVerdict>();
  const { busy, error, act } = useAct();
  const run = () => act(async () => (setBytes(0), setResult(await verifyHere(setBytes))));
  return (
    <Card title="By this browser">
      <div class="space-y-4 p-4 text-sm">
        <p class="text-soft">
          Fetches the raw leaves and the signed checkpoint, and recomputes hashes, tree and signature here. The server
          is not believed.
        </p>
        <button type="button" class="btn btn-primary" disabled={busy} onClick={run}>
          {busy ? `Reading… ${number(Math.round(bytes / 1024))} KiB` : "Verify here"}
        </button>
        {busy && <progress class="block w-full" aria-label="Verifying in the browser" />}
        {error && <Failure error={error} />}
        {result && !busy && (
          <div role="status">
            <p class={`font-medium ${result.verdict.valid ? "text-allow" : "text-block"}`}>
              {result.verdict.valid
                ? `${number(result.verdict.checkpoint.size)} leaves, root and signature verified in ${Math.round(result.took_ms)} ms`
                : flaws[result.verdict.flaw]}
              {!result.verdict.valid && result.verdict.seq !== undefined && ` (entry ${result.verdict.seq})`}
            </p>
            <pre class="code mt-3 whitespace-pre-wrap break-all">{result.checkpoint}</pre>
            <p class="mt-2 text-xs text-soft">
              Key <code class="text-xs break-all">{result.vkey}</code>
            </p>
          </div>
        )}
      </div>
    </Card>
  );
}

const flaws = {
  bad_key: "The log's key is malformed",
  bad_signature: "The checkpoint is not signed by the log's key",
  bad_leaf: "A leaf is not in its canonical form",
  broken_chain: "A link does not hold",
  truncated: "Entries are missing at the end",
  wrong_root: "The leaves do not give the signed root",
};

const Outside = () => {
  const { error, act } = useAct();
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
        <Command text="gatehouse verify --leaves audit-leaves.jsonl --checkpoint checkpoint --vkey '<key>'" />
        {error && <Failure error={error} />}
      </div>
    </Card>
  );
};
