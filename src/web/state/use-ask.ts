import { useCallback, useEffect, useRef, useState } from "preact/hooks";

export interface Asked<T> {
  data: T | undefined;
  error: Error | undefined;
  loading: boolean;
  reload(): void;
}

/** Asks when `keys` change; what was known stays visible meanwhile. A later question always wins over an earlier one. */
export function useAsk<T>(question: () => Promise<T>, keys: readonly unknown[]): Asked<T> {
  const [state, setState] = useState<{ data?: T; error?: Error; loading: boolean }>({ loading: true });
  const latest = useRef(0);
  const asked = useRef(question);
  asked.current = question;
  const run = useCallback(() => {
    const turn = ++latest.current;
    setState(before => ({ ...before, loading: true }));
    asked.current().then(
      data => turn === latest.current && setState({ data, loading: false }),
      error => turn === latest.current && setState(before => ({ ...before, error, loading: false })),
    );
  }, []);
  useEffect(() => {
    run();
    return () => void latest.current++;
  }, keys);
  return { data: state.data, error: state.error, loading: state.loading, reload: run };
}

/** Runs something a person pressed: whether it is under way, and what went wrong. A second press meanwhile does nothing. */
export function useAct(): {
  busy: boolean;
  error: Error | undefined;
  act(work: () => Promise<unknown>): Promise<boolean>;
  clear(): void;
} {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const running = useRef(false);
  const act = async (work: () => Promise<unknown>) => {
    if (running.current) return false;
    running.current = true;
    setBusy(true);
    setError(undefined);
    try {
      await work();
      return true;
    } catch (failed) {
      setError(failed as Error);
      return false;
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { busy, error, act, clear: () => setError(undefined) };
}

/** Asks again every `ms` while the page is visible. */
export function useEvery(ms: number, work: () => void): void {
  const kept = useRef(work);
  kept.current = work;
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && kept.current(), ms);
    return () => clearInterval(timer);
  }, [ms]);
}
