import { useState } from "preact/hooks";
import { Link, useSearchParams } from "wouter-preact";
import { Field, Form } from "../parts/form.tsx";
import { Card, Facts, Page } from "../parts/page.tsx";
import { Failure, Loading } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";
import { ask, outside } from "../state/api.ts";
import { session } from "../state/session.ts";
import { useAct, useAsk } from "../state/use-ask.ts";

/** A person connects an installation: who asks, from where, and an explicit press. */
export default function Device() {
  const [params, setParams] = useSearchParams();
  const code = params.get("user_code") ?? "";
  return (
    <Page
      title="Connect an agent"
      says="An installation asks to join your organisation. Approve only what you started yourself."
    >
      {code ? (
        <Asking key={code} code={code} again={() => setParams({})} />
      ) : (
        <Card class="max-w-md p-4">
          <Form
            action="Look it up"
            work={async ({ user_code }) => setParams({ user_code: user_code!.trim().toUpperCase() })}
          >
            <Field
              label="Code"
              name="user_code"
              required
              autoFocus
              autoComplete="off"
              placeholder="BCDF-GHJK"
              maxLength={32}
              hint="The eight letters that the installation shows."
            />
          </Form>
        </Card>
      )}
    </Page>
  );
}

function Asking({ code, again }: { code: string; again(): void }) {
  const asked = useAsk(() => ask(outside().auth["device-verify"].get({ query: { user_code: code } })), [code]);
  const [done, setDone] = useState<{ status: string; agent?: { id: string; name: string } }>();
  const { busy, error, act } = useAct();
  const decide = (action: "approve" | "deny") =>
    act(async () =>
      setDone((await ask(outside().auth["device-verify"].post({ user_code: code, action }))) as typeof done),
    );
  if (done) return <Decided done={done} />;
  if (asked.error)
    return (
      <Card class="max-w-xl space-y-3 p-4">
        <Failure error={asked.error} />
        <button type="button" class="btn" onClick={again}>
          Enter another code
        </button>
      </Card>
    );
  if (!asked.data) return <Loading rows={5} />;
  const { user_code, name, hostname, platform, version, ip, created_at, expires_at } = asked.data;
  const mayNot = session.value?.organisation.role === "auditor";
  return (
    <Card class="max-w-xl" title="Is this yours?">
      <div class="px-4 pt-3 text-sm text-soft">The code on the machine must read</div>
      <p class="px-4 pt-1 font-mono text-2xl tracking-widest">{user_code}</p>
      <Facts
        rows={[
          ["Name", name ?? "not said"],
          ["Machine", hostname ?? "not said"],
          ["Platform", [platform, version].filter(Boolean).join(" · ") || "not said"],
          ["Asks from", <code key="ip">{ip}</code>],
          ["Asked", <Time key="asked" iso={created_at} relative />],
          ["Code ends", <Time key="ends" iso={expires_at} relative />],
          ["Joins", session.value?.organisation.name],
        ]}
      />
      <div class="space-y-3 border-t border-line px-4 py-3">
        {error && <Failure error={error} />}
        {mayNot && <p class="text-sm text-soft">Auditors cannot connect agents. Ask an admin or a member.</p>}
        <div class="flex gap-2">
          <button type="button" class="btn btn-primary" disabled={busy || mayNot} onClick={() => decide("approve")}>
            Approve
          </button>
          <button type="button" class="btn btn-danger" disabled={busy || mayNot} onClick={() => decide("deny")}>
            Deny
          </button>
        </div>
      </div>
    </Card>
  );
}

const Decided = ({ done }: { done: { status: string; agent?: { id: string; name: string } } }) => (
  <Card class="max-w-xl space-y-2 p-4">
    <h2>{done.status === "approved" ? `${done.agent?.name ?? "The installation"} is connected` : "Denied"}</h2>
    <p class="text-sm text-soft">
      {done.status === "approved"
        ? "It fetches its token and policy by itself; you can close this page. "
        : "It got no access. "}
      {done.agent && (
        <Link class="link" href={`/agents/${done.agent.id}`}>
          See the agent
        </Link>
      )}
    </p>
  </Card>
);
