import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { ask, outside } from "../state/api.ts";
import { demo, dropDemo, keepDemo } from "../state/demo.ts";
import { notify } from "../state/notices.ts";
import { useAct, useEvery } from "../state/use-ask.ts";
import { Sign } from "./icons.tsx";
import { Failure } from "./states.tsx";

const startDemo = async () => {
  const { session, expires_in } = await ask(outside().demo.session.post());
  keepDemo(session, expires_in);
};

/** A demo workspace of one's own comes first; this tab alone knows its handle. */
export function DemoGate({ children }: { children: ComponentChildren }) {
  const { busy, error, act } = useAct();
  useEffect(() => {
    if (!demo.value) document.title = "Demo · Gatehouse";
  }, []);
  if (demo.value) return <>{children}</>;
  return (
    <main class="grid min-h-dvh place-items-center p-4">
      <div class="card w-full max-w-md space-y-4 p-6">
        <Sign class="size-9" />
        <h1>A workspace to try things in</h1>
        <p class="text-sm text-soft">
          You get a copy of a sample organisation with agents, an audit log and a policy to change. It is yours alone,
          lives in this tab, and is gone after an hour without use. Nothing needs an account.
        </p>
        {error && <Failure error={error} />}
        <div class="flex flex-wrap items-center gap-3">
          <button type="button" class="btn btn-primary" disabled={busy} onClick={() => act(startDemo)}>
            {busy ? "Making your copy…" : "Start the demo"}
          </button>
          <a class="link text-sm" href="/">
            Sign in instead
          </a>
        </div>
      </div>
    </main>
  );
}

export function DemoBanner() {
  const now = useSignal(Date.now());
  const { busy, error, act } = useAct();
  useEvery(10_000, () => {
    now.value = Date.now();
  });
  if (!demo.value) return null;
  const unused_ms = Math.max(0, now.value - demo.value.used_at);
  const left_min = Math.max(0, Math.ceil((demo.value.idle_s * 1000 - unused_ms) / 60_000));
  const reset = () =>
    act(async () => {
      const fresh = await ask(outside().demo.reset.post());
      if (fresh?.session) keepDemo(fresh.session, fresh.expires_in ?? demo.value!.idle_s);
      notify("The sample organisation is as it was at the start.");
      setTimeout(() => location.reload(), 400);
    });
  const end = () =>
    act(async () => {
      await ask(outside().demo.session.delete());
      dropDemo();
    });
  return (
    <section
      aria-label="Demo"
      class="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-accent-wash px-4 py-1.5 text-sm sm:px-6"
    >
      <p class="min-w-0 flex-1">
        A sample organisation, yours alone. It ends after <strong>{left_min} min</strong> without use.
      </p>
      <div class="flex gap-2">
        <button type="button" class="btn btn-small" disabled={busy} onClick={reset}>
          Reset
        </button>
        <button type="button" class="btn btn-small" disabled={busy} onClick={end}>
          End
        </button>
      </div>
      {error && <Failure error={error} />}
    </section>
  );
}
