/** The long versions of the oracle and mutation tests: `npm run fuzz`. Not part of the suite. */
process.env["ORACLE_RUNS"] ??= "20";
await import("../corpus/oracle.test.ts");
export {};
