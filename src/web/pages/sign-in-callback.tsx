import { useEffect, useState } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { Entrance } from "../parts/entrance.tsx";
import { type Challenge, SecondFactor } from "../parts/second-factor.tsx";
import { Failure, Loading } from "../parts/states.tsx";
import { ApiError, ask, outside } from "../state/api.ts";
import { finishSignIn, returned, SignInRefused, startSignIn } from "../state/oidc.ts";
import { keepSession, type SignedIn } from "../state/session.ts";
import { useAct } from "../state/use-ask.ts";

/** Why the person is not in yet, and how to go on. */
interface Halt {
  title: string;
  says?: string;
  error?: Error;
  action: string;
  prompt?: "login";
}

/** Where the identity provider sends people back to. Whatever it says, the sign-in goes on from here. */
export default function SignInCallback() {
  const [{ kind, back: wanted }] = useState(returned);
  const back = wanted.startsWith("/sign-in") ? "/" : wanted;
  const [halt, setHalt] = useState<Halt>();
  const [challenge, setChallenge] = useState<Challenge>();
  const [, go] = useLocation();
  useEffect(() => {
    const next = kind === "bare" ? resume(back) : enter();
    next.catch(failed => setHalt(haltOf(failed)));
  }, []);
  const enter = async () => {
    const { token, expires_in, claims } = await finishSignIn();
    try {
      const headers = { authorization: `Bearer ${token}` };
      const { account, organisation } = await ask(outside().auth.session.get({ headers }));
      keepSession({ token, expires_in, account, organisation } as SignedIn);
      go(back, { replace: true });
    } catch (failed) {
      const second = failed instanceof ApiError ? (failed.body["two_factor"] as Challenge | undefined) : undefined;
      if (second) return setChallenge(second);
      const forbidden = failed instanceof ApiError && failed.status === 403;
      setHalt(forbidden && claims.email_verified !== true ? unverified(claims.email) : haltOf(failed as Error));
    }
  };
  if (challenge)
    return (
      <Entrance title="Confirm it is you">
        <SecondFactor challenge={challenge.challenge} done={() => go(back, { replace: true })} />
      </Entrance>
    );
  return (
    <Entrance
      title={halt?.title ?? "Signing you in"}
      foot={
        <a class="link" href="/sign-in">
          Back to sign-in
        </a>
      }
    >
      {halt ? <Halted halt={halt} back={back} /> : <Loading rows={2} />}
    </Entrance>
  );
}

async function resume(back: string, prompt?: "login"): Promise<void> {
  const { oidc } = await ask(outside().auth.providers.get());
  if (!oidc?.client_id) throw new SignInRefused("no_provider", "No identity provider is configured here.");
  await startSignIn({ issuer: oidc.issuer, client_id: oidc.client_id }, back, prompt);
}

function Halted({ halt: { says, error, action, prompt }, back }: { halt: Halt; back: string }) {
  const { busy, error: failed, act } = useAct();
  return (
    <>
      {says && (
        <p role="alert" class="text-sm">
          {says}
        </p>
      )}
      {error && <Failure error={error} />}
      {failed && <p class="text-sm text-block">The identity provider could not be reached.</p>}
      <button
        type="button"
        class="btn btn-primary w-full"
        disabled={busy}
        onClick={() => act(() => resume(back, prompt))}
      >
        {busy ? "Going there…" : action}
      </button>
    </>
  );
}

const unverified = (email: string | undefined): Halt => ({
  title: "Confirm your email address first",
  says: `Your identity provider has not verified ${email ?? "your email address"} yet. Open the message it sent you, then go on here.`,
  action: "I have confirmed it: continue",
});

const causes: Record<string, string> = {
  access_denied: "The sign-in was cancelled, or your identity provider refused it.",
  login_required: "Your identity provider wants you to sign in again.",
  interaction_required: "Your identity provider has more to ask you.",
  consent_required: "Your identity provider needs your consent.",
  temporarily_unavailable: "Your identity provider is busy. Try again shortly.",
  server_error: "Your identity provider failed. Try again shortly.",
  unknown_state: "This sign-in was not started in this browser, or more than an hour ago.",
};

function haltOf(failed: Error): Halt {
  if (failed instanceof ApiError)
    return failed.status === 403
      ? { title: "You have no place here yet", error: failed, action: "Sign in as somebody else", prompt: "login" }
      : { title: "That did not work", error: failed, action: "Try again" };
  const { code, message } = failed as SignInRefused;
  const said = causes[code] ?? "Your identity provider's answer was refused.";
  return {
    title: "You are not signed in yet",
    says: causes[code] && (code === "unknown_state" || !message) ? said : `${said} It says: ${message}`,
    action: "Continue signing in",
  };
}
