/** Thread entry of verification: reads logs, beside the threads that write them. */
import type { VerifyStart } from "../src/actor/protocol.ts";
import { serveThread, type ThreadScope } from "../src/actor/thread.ts";
import { threadId } from "../src/actor/thread-id.ts";
import { VerifyHost } from "../src/actor/verify-host.ts";
import { verifyPart } from "../src/store/open.ts";

declare const self: ThreadScope;

serveThread<VerifyStart>(self, (start, post) => new VerifyHost(start, verifyPart, post), threadId());
