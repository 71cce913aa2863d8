/** The long versions of the oracle and mutation tests; they run under `npm run fuzz` only. */
if (process.env["ORACLE_RUNS"] !== undefined) {
  await import("../corpus/oracle.test.ts");
  await import("../../src/domain/policy/engine/mutation.test.ts");
}
export {};
