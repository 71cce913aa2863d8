import { Badge } from "../parts/badges.tsx";
import { Field, Form } from "../parts/form.tsx";
import { KeptList } from "../parts/kept-list.tsx";
import { MakeSecret } from "../parts/make-secret.tsx";
import { Card, Facts, Page } from "../parts/page.tsx";
import { Time } from "../parts/time.tsx";
import { TwoFactor } from "../parts/two-factor.tsx";
import { ask, outside } from "../state/api.ts";
import { notify } from "../state/notices.ts";
import { session } from "../state/session.ts";

/** One's own sign-in: password, second factor, and everything that is signed in with it. */
export default function Account() {
  const { account, organisation } = session.value!;
  return (
    <Page title="Your account" says={account.email}>
      <div class="pair">
        <Card title="You">
          <Facts
            rows={[
              ["Name", account.name || "not given"],
              ["Email", account.email],
              ["Organisation", organisation.name],
              ["Role", organisation.role],
            ]}
          />
        </Card>
        <TwoFactor />
        <Card title="Password">
          <div class="p-4">
            <Form
              action="Change the password"
              work={async ({ current, next }) => {
                await ask(outside().auth.password.post({ current: current!, new: next! }));
                notify("The password is changed; other sessions have ended.");
              }}
            >
              <Field label="Current password" name="current" type="password" required autoComplete="current-password" />
              <Field
                label="New password"
                name="next"
                type="password"
                required
                minLength={12}
                autoComplete="new-password"
                hint="At least 12 characters."
              />
            </Form>
          </div>
        </Card>
        <Sessions />
        <Devices />
        <Tokens />
      </div>
    </Page>
  );
}

const Sessions = () => (
  <KeptList
    title="Sessions"
    says="Where you are signed in."
    empty="None."
    action="End"
    list={() => ask(outside().auth.sessions.get())}
    name={one => `the session from ${one.ip}`}
    revoke={one => ask(outside().auth.sessions({ id: one.id }).delete())}
    row={one => (
      <>
        <p class="truncate" title={one.user_agent}>
          {browserOf(one.user_agent)} {one.current && <Badge tone="allow">this one</Badge>}
        </p>
        <p class="text-xs text-soft">
          {one.ip} · last used <Time iso={one.last_seen_at} relative />
        </p>
      </>
    )}
  />
);

const browserOf = (agent: string) =>
  /(Firefox|Edg|HeadlessChrome|Chrome|Safari|curl|Bun|Deno|node)\/?[\d.]*/.exec(agent)?.[0].replace("Edg/", "Edge/") ??
  (agent || "Unknown client");

const Devices = () => (
  <KeptList
    title="Trusted devices"
    says="They skip the second factor."
    empty="None. Tick “Trust this device” when you enter a code."
    action="Forget"
    list={() => ask(outside().auth.devices.get())}
    name={one => one.name}
    revoke={one => ask(outside().auth.devices({ id: one.id }).delete())}
    row={one => (
      <>
        <p>{browserOf(one.name)}</p>
        <p class="text-xs text-soft">
          {one.ip} · last used <Time iso={one.last_used_at} relative /> · ends <Time iso={one.expires_at} relative />
        </p>
      </>
    )}
  />
);

const Tokens = () => (
  <KeptList
    title="Access tokens"
    says="Scripts act as you with them, in this organisation, with your role."
    empty="None."
    action="Revoke"
    list={() => ask(outside().auth.tokens.get())}
    name={one => one.name}
    revoke={one => ask(outside().auth.tokens({ id: one.id }).delete())}
    row={one => (
      <>
        <p class="font-medium">{one.name}</p>
        <p class="text-xs text-soft">
          last used <Time iso={one.last_used_at} relative /> · ends <Time iso={one.expires_at} relative />
        </p>
      </>
    )}
    aside={reload => (
      <MakeSecret
        title="New access token"
        action="New token"
        done={reload}
        make={async ({ name, days }) =>
          (
            (await ask(outside().auth.tokens.post({ name: name!, expires_in_days: Number(days) }))) as unknown as {
              token: string;
            }
          ).token
        }
        fields={
          <>
            <Field label="Name" name="name" required autoFocus maxLength={100} placeholder="weekly report" />
            <Field label="Days it is good for" name="days" type="number" required value="90" />
          </>
        }
        use={() => (
          <p class="text-soft">
            Send it as <code>Authorization: Bearer …</code>
          </p>
        )}
      />
    )}
  />
);
