import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { Badge } from "../parts/badges.tsx";
import { Confirm } from "../parts/dialog.tsx";
import { EnrolmentKeys } from "../parts/enrolment-keys.tsx";
import { Field, Form } from "../parts/form.tsx";
import { mode as shown } from "../parts/mode.tsx";
import { Card, Facts, Page } from "../parts/page.tsx";
import { Await } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";
import { api, ask } from "../state/api.ts";
import { inDemo } from "../state/demo.ts";
import { notify } from "../state/notices.ts";
import { session, updateSession } from "../state/session.ts";
import { number, plural } from "../state/times.ts";
import { type Asked, useAsk } from "../state/use-ask.ts";

export default function Settings() {
  const admin = inDemo() || session.value?.organisation.role === "admin";
  const plan = useAsk(myPlan, []);
  return (
    <Page
      title="Settings"
      says={
        inDemo() ? (
          "Of this sample organisation."
        ) : (
          <>
            Of the organisation. Your own sign-in is under{" "}
            <Link class="link" href="/account">
              account
            </Link>
            .
          </>
        )
      }
    >
      <div class="pair">
        <Mode admin={admin} />
        <Plan admin={admin && !inDemo()} mine={plan} />
        <Retention plan={plan} />
        <Organisation admin={admin} />
        {admin && !inDemo() && <EnrolmentKeys />}
      </div>
    </Page>
  );
}

const meaning = {
  enforce: "BLOCK stops the call, ASK asks the person in front of the agent.",
  "audit-only": "Every verdict is made and recorded; nothing is stopped. Good for the first weeks.",
};

function Mode({ admin }: { admin: boolean }) {
  const asked = useAsk(() => ask(api().org["enforcement-mode"].get()), []);
  const [wanted, setWanted] = useState<"enforce" | "audit-only">();
  const change = async () => {
    const reply = await ask(api().org["enforcement-mode"].put({ mode: wanted! }));
    shown.value = reply.mode;
    notify(`The mode is ${reply.mode}.`);
    asked.reload();
  };
  return (
    <Card title="Enforcement">
      <Await asked={asked} rows={2}>
        {({ mode, changed_at, changed_by }) => (
          <div class="space-y-3 p-4">
            <fieldset class="grid gap-2 sm:grid-cols-2" disabled={!admin}>
              <legend class="sr-only">Mode</legend>
              {(["enforce", "audit-only"] as const).map(one => (
                <label
                  key={one}
                  class={`rounded-md border p-3 text-sm ${mode === one ? "border-accent bg-accent-wash" : "border-line"}`}
                >
                  <span class="flex items-center gap-2 font-medium">
                    <input
                      type="radio"
                      name="mode"
                      checked={mode === one}
                      onClick={event => (event.preventDefault(), mode !== one && setWanted(one))}
                    />{" "}
                    {one}
                  </span>
                  <span class="mt-1 block text-xs text-soft">{meaning[one]}</span>
                </label>
              ))}
            </fieldset>
            {changed_at && (
              <p class="text-xs text-soft">
                Changed <Time iso={changed_at} relative /> by {nameOf(changed_by)}
              </p>
            )}
          </div>
        )}
      </Await>
      {wanted && (
        <Confirm
          title={`Change the mode to ${wanted}?`}
          action="Change the mode"
          danger={false}
          onClose={() => setWanted(undefined)}
          work={change}
        >
          {meaning[wanted]} Agents follow with their next heartbeat.
        </Confirm>
      )}
    </Card>
  );
}

const nameOf = (actor: unknown): string => {
  if (typeof actor === "string") return actor;
  const { email, id } = (actor ?? {}) as { email?: string; id?: string };
  return email ?? id ?? "the product";
};

const myPlan = () => ask(api().org.plan.get());
type MyPlan = Asked<Awaited<ReturnType<typeof myPlan>>>;

function Plan({ admin, mine }: { admin: boolean; mine: MyPlan }) {
  const all = useAsk(() => ask(api().plans.get()), []);
  const [wanted, setWanted] = useState<{ id: string; name: string }>();
  return (
    <Card title="Plan">
      <Await asked={mine} rows={3}>
        {plan => (
          <>
            <Facts
              rows={[
                ["Plan", <strong key="name">{plan.name}</strong>],
                ["Seats", <Used key="seats" href="/members" used={plan.usage.seats} of={plan.seats} />],
                ["Agents", <Used key="agents" href="/agents" used={plan.usage.agents} of={plan.agents} />],
                ["Audit bodies kept", plan.retention_days === null ? "for ever" : plural(plan.retention_days, "day")],
                [
                  "Includes",
                  <span key="has" class="flex flex-wrap gap-1">
                    {plan.entitlements.map(one => (
                      <Badge key={one}>{one}</Badge>
                    ))}
                  </span>,
                ],
              ]}
            />
            {admin && all.data && (
              <div class="flex flex-wrap gap-2 border-t border-line px-4 py-3">
                {all.data.items
                  .filter(({ id }) => id !== plan.id)
                  .map(one => (
                    <button key={one.id} type="button" class="btn btn-small" onClick={() => setWanted(one)}>
                      Change to {one.name}
                    </button>
                  ))}
              </div>
            )}
          </>
        )}
      </Await>
      {wanted && (
        <Confirm
          title={`Change to ${wanted.name}?`}
          action="Change the plan"
          danger={false}
          onClose={() => setWanted(undefined)}
          work={async () => {
            await ask(api().org.plan.put({ plan: wanted.id }));
            notify(`The plan is ${wanted.name}.`);
            mine.reload();
          }}
        >
          Limits and packs of that plan hold at once.
        </Confirm>
      )}
    </Card>
  );
}

const Used = ({ href, used, of }: { href: string; used: number; of: number | null }) => (
  <>
    <Link class="link" href={href}>
      {number(used)}
    </Link>{" "}
    {of === null ? "· no limit" : `of ${number(of)}`}
  </>
);

/** How long the log keeps what telemetry said; the plan decides. */
function Retention({ plan }: { plan: MyPlan }) {
  const erased = useAsk(() => ask(api().audit.get({ query: { type: "log.bodies_erased", limit: 1 } })), []);
  return (
    <Card title="Retention">
      <Await asked={plan} rows={2}>
        {({ name, retention_days }) => (
          <div class="space-y-2 p-4 text-sm">
            <p>
              {retention_days === null
                ? "Everything agents reported is kept for ever."
                : `What agents reported is kept for ${plural(retention_days, "day")}, then its text is erased.`}
            </p>
            <p class="text-soft">
              Verdicts, counts and the hashes that prove the log stay, and so does every change a person made. The{" "}
              {name} plan decides.
            </p>
            <p>
              {erased.data?.items[0] ? (
                <>
                  Last erased <Time iso={erased.data.items[0].received_at} relative />.{" "}
                </>
              ) : (
                "Nothing has been erased yet. "
              )}
              <Link class="link" href="/audit?type=log.bodies_erased&range=all">
                In the log
              </Link>
            </p>
          </div>
        )}
      </Await>
    </Card>
  );
}

function Organisation({ admin }: { admin: boolean }) {
  const asked = useAsk(() => ask(api().org.get()), []);
  return (
    <Card title="Organisation">
      <Await asked={asked} rows={2}>
        {org => (
          <div class="p-4">
            {admin ? (
              <Form
                action="Rename"
                work={async ({ name }) => {
                  await ask(api().org.patch({ name: name! }));
                  if (!inDemo() && session.value)
                    updateSession({ organisation: { ...session.value.organisation, name: name! } });
                  notify("Renamed.");
                  asked.reload();
                }}
              >
                <Field
                  label="Name"
                  name="name"
                  required
                  maxLength={100}
                  value={org.name}
                  hint={
                    <span>
                      Created <Time iso={org.created_at} /> · <code class="text-xs">{org.id}</code>
                    </span>
                  }
                />
              </Form>
            ) : (
              <p class="text-sm">{org.name}</p>
            )}
          </div>
        )}
      </Await>
    </Card>
  );
}
