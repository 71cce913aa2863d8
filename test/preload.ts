import { setDefaultTimeout } from "bun:test";

// Generous: a busy machine must not fail a test that would have passed.
setDefaultTimeout(30_000);
