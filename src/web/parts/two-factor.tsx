import { useState } from "preact/hooks";
import { renderSVG } from "uqr";
import { ask, outside } from "../state/api.ts";
import { notify } from "../state/notices.ts";
import { session, updateSession } from "../state/session.ts";
import { useAct } from "../state/use-ask.ts";
import { Badge } from "./badges.tsx";
import { Command, CopyButton } from "./copy.tsx";
import { Field, Form } from "./form.tsx";
import { Card } from "./page.tsx";
import { Failure } from "./states.tsx";

interface Secret {
  secret: string;
  otpauth_uri: string;
}

const remember = (two_factor: boolean) => updateSession({ account: { ...session.value!.account, two_factor } });

/** Turning the second factor on (secret, first code, recovery codes) and off. */
export function TwoFactor() {
  const on = session.value!.account.two_factor;
  const [secret, setSecret] = useState<Secret>();
  const [codes, setCodes] = useState<string[]>();
  const { busy, error, act } = useAct();
  const start = () => act(async () => setSecret((await ask(outside().auth["2fa"].setup.post())) as unknown as Secret));
  return (
    <Card title="Two-factor" aside={<Badge tone={on ? "allow" : "plain"}>{on ? "on" : "off"}</Badge>}>
      <div class="space-y-3 p-4 text-sm">
        {codes ? (
          <RecoveryCodes codes={codes} />
        ) : on ? (
          <Form
            action="Turn off"
            danger
            work={async ({ code }) => {
              await ask(outside().auth["2fa"].disable.post({ code: code!.trim() }));
              remember(false);
              setSecret(undefined);
              notify("Two-factor is off.");
            }}
          >
            <Field
              label="Code"
              name="code"
              required
              autoComplete="one-time-code"
              hint="A code of your app, or a recovery code."
            />
          </Form>
        ) : secret ? (
          <>
            <p>Scan this with an authenticator app, then enter the code it shows.</p>
            <Qr text={secret.otpauth_uri} />
            <Command text={secret.secret} label="Copy secret" />
            <Form
              action="Turn on"
              work={async ({ code }) => {
                const reply = (await ask(outside().auth["2fa"].enable.post({ code: code!.trim() }))) as unknown as {
                  recovery_codes: string[];
                };
                setCodes(reply.recovery_codes);
                remember(true);
              }}
            >
              <Field
                label="Code"
                name="code"
                required
                autoFocus
                autoComplete="one-time-code"
                inputMode="numeric"
                maxLength={6}
              />
            </Form>
          </>
        ) : (
          <>
            <p class="text-soft">A code of your phone beside the password.</p>
            {error && <Failure error={error} />}
            <button type="button" class="btn" disabled={busy} onClick={start}>
              Set up
            </button>
          </>
        )}
      </div>
    </Card>
  );
}

const Qr = ({ text }: { text: string }) => (
  <div
    class="size-44 rounded-md bg-white p-2"
    role="img"
    aria-label="QR code of the secret"
    dangerouslySetInnerHTML={{ __html: renderSVG(text, { border: 1 }) }}
  />
);

const RecoveryCodes = ({ codes }: { codes: string[] }) => (
  <div class="space-y-2">
    <p>Two-factor is on. Keep these recovery codes; each works once, and they are shown only now.</p>
    <ul class="code grid grid-cols-2 gap-1">
      {codes.map(code => (
        <li key={code}>{code}</li>
      ))}
    </ul>
    <CopyButton text={codes.join("\n")} label="Copy all" />
  </div>
);
