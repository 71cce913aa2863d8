import { useEffect, useState } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { Entrance } from "../parts/entrance.tsx";
import { type Challenge, SecondFactor } from "../parts/second-factor.tsx";
import { Failure, Loading } from "../parts/states.tsx";
import { ApiError, ask, outside } from "../state/api.ts";
import { finishSignIn } from "../state/oidc.ts";
import { keepSession, type SignedIn } from "../state/session.ts";

/** Where the identity provider sends people back to. */
export default function SignInCallback() {
  const [error, setError] = useState<Error>();
  const [challenge, setChallenge] = useState<Challenge>();
  const [back, setBack] = useState("/");
  const [, go] = useLocation();
  const enter = async () => {
    const { token, expires_in, back: wanted } = await finishSignIn();
    const to = wanted.startsWith("/sign-in") ? "/" : wanted;
    setBack(to);
    try {
      const headers = { authorization: `Bearer ${token}` };
      const { account, organisation } = await ask(outside().auth.session.get({ headers }));
      keepSession({ token, expires_in, account, organisation } as SignedIn);
      go(to, { replace: true });
    } catch (failed) {
      const second = failed instanceof ApiError ? (failed.body["two_factor"] as Challenge | undefined) : undefined;
      if (!second) throw failed;
      setChallenge(second);
    }
  };
  useEffect(() => {
    enter().catch(setError);
  }, []);
  if (challenge)
    return (
      <Entrance title="Confirm it is you">
        <SecondFactor challenge={challenge.challenge} done={() => go(back, { replace: true })} />
      </Entrance>
    );
  return (
    <Entrance
      title={error ? "That did not work" : "Signing you in"}
      foot={
        <a class="link" href="/sign-in">
          Back to sign-in
        </a>
      }
    >
      {error ? <Explained error={error} /> : <Loading rows={2} />}
    </Entrance>
  );
}

const Explained = ({ error }: { error: Error }) =>
  error instanceof ApiError ? (
    <Failure error={error} />
  ) : (
    <p role="alert">The identity provider's answer was refused: {error.message}</p>
  );
