import { createHash } from "node:crypto";
import { refusals } from "../errors.ts";
import { schemaText } from "./schema-text.ts";

/** The browsable description: one page without a script, made on the server, that needs nothing from anywhere. */
export interface Page {
  html: string;
  csp: string;
}

interface Operation {
  summary: string;
  tags: string[];
  parameters: { name: string; in: string; required: boolean; schema: unknown }[];
  requestBody?: { description: string; content: Record<string, { schema: unknown }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: unknown }> }>;
  security: Record<string, unknown>[];
  "x-extension"?: boolean;
}

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#1a2230;background:#fff}
details{border:1px solid #d5dae2;border-radius:6px;margin:.4rem 0;padding:.4rem .8rem}summary{cursor:pointer}
code,pre{font:13px/1.45 ui-monospace,monospace}pre{overflow:auto;background:#f4f6f9;padding:.6rem;border-radius:4px}
b{display:inline-block;min-width:4.2rem}small{color:#5a6576}
@media(prefers-color-scheme:dark){body{color:#e4e8ee;background:#12161d}details{border-color:#333c4a}pre{background:#1b212b}small{color:#98a3b3}}`;

export function docsPage(document: Record<string, unknown>): Page {
  const paths = document["paths"] as Record<string, Record<string, Operation>>;
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const byTag = Object.groupBy(all, ({ operation }) => operation.tags[0] ?? "other");
  const sections = Object.entries(byTag).map(
    ([tag, routes]) =>
      `<h2 id="${escaped(tag)}">${escaped(tag)}</h2>${routes!.map(one => (tag === "demo" ? twinOr(one, paths) : section(one))).join("")}`,
  );
  const links = [...Object.keys(byTag), "errors"].map(tag => `<a href="#${escaped(tag)}">${escaped(tag)}</a>`);
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Gatehouse API</title><style>${STYLE}</style></head><body><h1>Gatehouse API</h1>
<p>OpenAPI 3.1: <a href="openapi.json">openapi.json</a></p><nav>${links.join(" · ")}</nav>${sections.join("")}${errors}</body></html>`;
  const hash = createHash("sha256").update(STYLE).digest("base64");
  return {
    html,
    csp: `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}

interface Shown {
  path: string;
  method: string;
  operation: Operation;
}

/** A route of the demo is told by the one it is the twin of. */
function twinOr(shown: Shown, paths: Record<string, Record<string, Operation>>): string {
  const { path, method, operation } = shown;
  const twin = path.replace("/api/demo/", "/api/");
  if (!paths[twin]?.[method.toLowerCase()]) return section(shown);
  return `<p><b>${method}</b> <code>${escaped(path)}</code> ${escaped(operation.summary)} <small>as ${escaped(twin)}, by X-Demo-Session</small></p>`;
}

function section({ path, method, operation }: Shown): string {
  const { summary, parameters, requestBody, responses, security } = operation;
  const who = security.map(one => Object.keys(one).join()).join(" or ") || "public";
  const inputs = parameters.map(
    ({ name, in: place, required, schema }) =>
      `<li><code>${escaped(name)}</code> <small>${place}${required ? ", required" : ""}</small> <code>${escaped(schemaText(schema))}</code></li>`,
  );
  const bodies = Object.entries(requestBody?.content ?? {}).map(
    ([type, { schema }]) =>
      `<p>Body <code>${escaped(type)}</code> <small>${escaped(requestBody!.description)}</small></p>${code(schema)}`,
  );
  const answers = Object.entries(responses).map(([status, response]) => answer(status, response));
  return `<details><summary><b>${method}</b> <code>${escaped(path)}</code> ${escaped(summary)} <small>${who}${operation["x-extension"] ? " · extension" : ""}</small></summary>
${inputs.length > 0 ? `<ul>${inputs.join("")}</ul>` : ""}${bodies.join("")}<ul>${answers.join("")}</ul></details>`;
}

function answer(status: string, { description, content }: Operation["responses"][string]): string {
  const [type, body] = Object.entries(content ?? {})[0] ?? [];
  const shown = Number(status) < 300 && body ? ` <code>${escaped(type!)}</code>${code(body.schema)}` : "";
  return `<li><strong>${status}</strong> ${escaped(description.replaceAll("`", ""))}${shown}</li>`;
}

const code = (schema: unknown) => `<pre>${escaped(schemaText(schema))}</pre>`;

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const errors = `<h2 id="errors">errors</h2><ul>${Object.entries(refusals)
  .map(([name, [status, sentence]]) => `<li><code>${name}</code> <strong>${status}</strong> ${escaped(sentence)}</li>`)
  .join("")}</ul>`;
