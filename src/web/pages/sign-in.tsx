import { useState } from "preact/hooks";
import { Link, useLocation } from "wouter-preact";
import { Entrance } from "../parts/entrance.tsx";
import { Field, Form } from "../parts/form.tsx";
import { type Challenge, SecondFactor } from "../parts/second-factor.tsx";
import { ask, outside } from "../state/api.ts";
import { ended, keepSession, type SignedIn, trustedDevice } from "../state/session.ts";
import { useAct, useAsk } from "../state/use-ask.ts";

export default function SignIn() {
  const [challenge, setChallenge] = useState<Challenge>();
  const [path, go] = useLocation();
  const done = () => path === "/sign-in" && go("/");
  if (challenge)
    return (
      <Entrance title="Confirm it is you">
        <SecondFactor challenge={challenge.challenge} done={done} />
      </Entrance>
    );
  return (
    <Entrance
      title="Sign in"
      says={ended.value === "expired" ? "Your session has ended. Sign in again to go on where you were." : undefined}
      foot={<Foot />}
    >
      <Form
        action="Sign in"
        work={async ({ email, password }) => {
          const device = trustedDevice();
          const reply = await ask(
            outside().auth.login.post({
              email: email!,
              password: password!,
              ...(device ? { trusted_device: device } : {}),
            }),
          );
          if ("two_factor" in reply) return setChallenge(reply.two_factor as Challenge);
          keepSession(reply as SignedIn);
          done();
        }}
      >
        <Field label="Email" name="email" type="email" required autoFocus autoComplete="username" />
        <Field label="Password" name="password" type="password" required autoComplete="current-password" />
      </Form>
      <Outside />
    </Entrance>
  );
}

/** Sign-in by the organisation's identity provider, where one is configured. */
function Outside() {
  const providers = useAsk(() => ask(outside().auth.providers.get()), []);
  const { busy, error, act } = useAct();
  const oidc = providers.data?.oidc;
  if (!oidc?.client_id) return null;
  const { issuer, client_id } = oidc;
  const start = () =>
    act(async () => {
      const { startSignIn } = await import("../state/oidc.ts");
      await startSignIn({ issuer, client_id }, location.pathname + location.search);
    });
  return (
    <div class="border-t border-line pt-4">
      <button type="button" class="btn w-full" disabled={busy} onClick={start}>
        {busy ? "Going there…" : `Continue with ${new URL(issuer).host}`}
      </button>
      {error && <p class="mt-2 text-sm text-block">The identity provider could not be reached.</p>}
    </div>
  );
}

const Foot = () => (
  <>
    <p>
      First start?{" "}
      <Link href="/setup" class="link">
        Set up your organisation
      </Link>{" "}
      with the code the server printed.
    </p>
    <p>
      Just looking?{" "}
      <a href="/demo" class="link">
        Try the demo
      </a>{" "}
      or the{" "}
      <Link href="/playground" class="link">
        playground
      </Link>
      .
    </p>
  </>
);
