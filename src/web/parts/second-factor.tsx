import { ask, outside } from "../state/api.ts";
import { keepSession, type SignedIn } from "../state/session.ts";
import { Field, Form } from "./form.tsx";

export interface Challenge {
  challenge: string;
  expires_in: number;
}

/** The second step of signing in: a code of the app, or a recovery code. */
export const SecondFactor = ({ challenge, done }: { challenge: string; done(): void }) => (
  <Form
    action="Continue"
    work={async ({ code, remember }) => {
      const remember_device = remember === "on";
      keepSession(
        (await ask(outside().auth["2fa"].verify.post({ challenge, code: code!.trim(), remember_device }))) as SignedIn,
      );
      done();
    }}
  >
    <Field
      label="Code"
      name="code"
      required
      autoFocus
      autoComplete="one-time-code"
      maxLength={32}
      hint="Six digits of your authenticator app, or a recovery code."
    />
    <label class="flex items-center gap-2 text-sm">
      <input type="checkbox" name="remember" /> Trust this device
    </label>
  </Form>
);
