// Appends to the log at argv[2] until it is killed; prints each acknowledged head.
import { writeSync } from "node:fs";
import { openOrgStore } from "../../src/store/open.ts";
import { event, storeWorld } from "./fixture.ts";

const store = openOrgStore({ path: process.argv[2]! }, storeWorld());
for (let n = store.log.head().size; ; ) {
  store.commit(() => {
    for (const end = n + 1 + (n % 170); n < end; n++) store.log.append(event(n));
  });
  while (n % 3 === 0 && store.log.tidy());
  const { size, hash } = store.log.head();
  writeSync(1, `${size} ${hash}\n`);
}
