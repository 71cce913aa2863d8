/** Thread entry of the organisations: messages in, messages out. */
import { openWorld } from "../src/actor/open-world.ts";
import { OrgHost } from "../src/actor/org-host.ts";
import type { Start } from "../src/actor/protocol.ts";
import { serveThread, type ThreadScope } from "../src/actor/thread.ts";
import { threadId } from "../src/actor/thread-id.ts";
import { openOrgStore } from "../src/store/open.ts";

declare const self: ThreadScope;

serveThread<Start>(self, (start, post) => new OrgHost(openWorld(start, openOrgStore, post)), threadId());
