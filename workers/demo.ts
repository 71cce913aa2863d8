/** Thread entry of the demo: the same actor over copies in memory. It is given no folder, no key and no configuration. */
import { DemoHost } from "../src/actor/demo-host.ts";
import { openDemo } from "../src/actor/open-demo.ts";
import type { DemoStart } from "../src/actor/protocol.ts";
import { seal } from "../src/actor/seal.ts";
import { serveThread, type ThreadScope } from "../src/actor/thread.ts";
import { writeChecks } from "../src/domain/schema-check.ts";
import { inMemoryOnly, openOrgStore } from "../src/store/open.ts";

declare const self: ThreadScope;

writeChecks();
seal(self);
inMemoryOnly();
serveThread<DemoStart>(self, (start, post) => new DemoHost(openDemo(start, openOrgStore, post)));
