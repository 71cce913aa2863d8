// Writes docs/errors.md from the table of refusals: `bun scripts/document-errors.ts`.
import { writeFileSync } from "node:fs";
import { refusals } from "../src/errors.ts";

const rows = Object.entries(refusals).map(([code, [status, sentence]]) => `| \`${code}\` | ${status} | ${sentence} |`);
const text = `# Errors

Every refusal is JSON: \`{"error": code, "message": what happened and what to do, "request_id"}\`, with \`details\` of
\`{path, message}\` where single values are at fault. Codes are stable; the sentence may be more precise than here.

| error | status | message |
|---|---|---|
${rows.join("\n")}
`;
writeFileSync(new URL("../docs/errors.md", import.meta.url), text);
