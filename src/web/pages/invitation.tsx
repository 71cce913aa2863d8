import { useState } from "preact/hooks";
import { useLocation, useSearchParams } from "wouter-preact";
import { Entrance } from "../parts/entrance.tsx";
import { Field, Form } from "../parts/form.tsx";
import { type Challenge, SecondFactor } from "../parts/second-factor.tsx";
import { ask, outside } from "../state/api.ts";
import { keepSession, type SignedIn } from "../state/session.ts";

export default function Invitation() {
  const [params] = useSearchParams();
  const [, go] = useLocation();
  const [challenge, setChallenge] = useState<Challenge>();
  const token = params.get("token") ?? "";
  if (!token)
    return (
      <Entrance title="This link is incomplete">
        <p class="text-sm text-soft">
          An invitation link ends in a long token. Ask whoever invited you to send it whole.
        </p>
      </Entrance>
    );
  if (challenge)
    return (
      <Entrance title="Confirm it is you">
        <SecondFactor challenge={challenge.challenge} done={() => go("/", { replace: true })} />
      </Entrance>
    );
  return (
    <Entrance
      title="Join the organisation"
      says="You have been invited. New here? Choose a password. Already have an account? Use the password of that account."
    >
      <Form
        action="Accept the invitation"
        work={async ({ name, password }) => {
          const entry = { token, password: password!, ...(name ? { name } : {}) };
          const reply = await ask(outside().auth["accept-invitation"].post(entry));
          if ("two_factor" in reply) return setChallenge(reply.two_factor as Challenge);
          keepSession(reply as SignedIn);
          go("/", { replace: true });
        }}
      >
        <Field label="Your name" name="name" maxLength={100} autoComplete="name" />
        <Field
          label="Password"
          name="password"
          type="password"
          required
          minLength={12}
          autoComplete="new-password"
          hint="At least 12 characters."
        />
      </Form>
    </Entrance>
  );
}
