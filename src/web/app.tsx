import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Route, Router, Switch, useLocation } from "wouter-preact";
import SignIn from "./pages/sign-in.tsx";
import { type PageEntry, pages } from "./pages.ts";
import { DemoGate } from "./parts/demo-gate.tsx";
import { Notices } from "./parts/notices.tsx";
import { Page } from "./parts/page.tsx";
import { Shell } from "./parts/shell.tsx";
import { Empty, Failure, Loading } from "./parts/states.tsx";
import { unreachable } from "./state/api.ts";
import { DEMO_BASE, inDemo } from "./state/demo.ts";
import { session } from "./state/session.ts";
import "./state/theme.ts";

export function App() {
  useLocation();
  return (
    <>
      {inDemo() ? (
        <Router base={DEMO_BASE} key="demo">
          <DemoGate>
            <Shell>
              <Pages entries={pages.filter(({ demo }) => demo)} />
            </Shell>
          </DemoGate>
        </Router>
      ) : (
        <Place />
      )}
      <Notices />
    </>
  );
}

/** Pages of the organisation. Without a session the sign-in page stands in, at the address that was asked for. */
function Place() {
  const [path] = useLocation();
  const bare = ["/setup", "/sign-in", "/sign-in/callback", "/invitation"].includes(path);
  const signedIn = session.value !== undefined;
  if (bare) return <Pages entries={pages} />;
  if (!signedIn && path !== "/playground") return <SignIn />;
  return (
    <Shell>
      <Pages entries={pages} key={session.value?.organisation.id ?? ""} />
    </Shell>
  );
}

const Pages = ({ entries }: { entries: readonly PageEntry[] }) => (
  <Switch>
    {entries.map(entry => (
      <Route key={entry.path} path={entry.path}>
        <Lazy entry={entry} />
      </Route>
    ))}
    <Route>
      <Page title="Not here">
        <Empty icon="search" title="There is no such page">
          The address may be old or mistyped.{" "}
          <a class="link" href={inDemo() ? DEMO_BASE : "/"}>
            Go to the overview
          </a>
          .
        </Empty>
      </Page>
    </Route>
  </Switch>
);

/** A page that is reloaded while the server is away is lost. */
const reloadWhenBack = () =>
  fetch("/api/health").then(
    ({ ok }) => ok && location.reload(),
    () => {},
  );

const loaded = new Map<PageEntry, ComponentType>();

/** Each page's code comes when it is first opened, and stays. */
function Lazy({ entry }: { entry: PageEntry }) {
  const [, redraw] = useState(0);
  const [error, setError] = useState<Error>();
  const Content = loaded.get(entry);
  useEffect(() => {
    if (loaded.has(entry)) return;
    let gone = false;
    entry.load().then(
      module => {
        loaded.set(entry, module.default);
        if (!gone) redraw(turn => turn + 1);
      },
      // Its code could not be fetched: the server is away, or was replaced by one with other files.
      () => gone || setError(unreachable()),
    );
    return () => void (gone = true);
  }, [entry]);
  if (Content) return <Content />;
  if (error)
    return (
      <div class="p-6">
        <Failure error={error} retry={reloadWhenBack} />
      </div>
    );
  return <Loading />;
}
