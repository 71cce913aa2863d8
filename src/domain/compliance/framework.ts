import { type Static, Type } from "@sinclair/typebox";
import { parseDocument } from "../yaml-document.ts";
import { evidenceKinds } from "./evidence.ts";

const closed = { additionalProperties: false };
const Text = Type.String({ minLength: 1, maxLength: 600 });

/**
 * One control and what it rests on. Nothing here claims compliance: the lists name what this product can show.
 * - `checked`: the identifier was compared with a public catalogue; false means from memory, review before relying on it.
 * - `tags`: control words of policy rules (`controls:` in packs).
 * - `rules`: compliance rules, by id.
 * - `evidence`: facts about the log and the fleet, by kind.
 */
export const Control = Type.Object(
  {
    id: Type.String({ pattern: "^[A-Za-z0-9][A-Za-z0-9 .()/-]{0,39}$" }),
    title: Text,
    checked: Type.Boolean(),
    tags: Type.Optional(Type.Array(Type.String({ pattern: "^[a-z][a-z-]{1,39}$" }))),
    rules: Type.Optional(Type.Array(Type.String({ pattern: "^GH-[A-Z]+-[0-9]{3}$" }))),
    evidence: Type.Optional(Type.Array(Type.Union(evidenceKinds.map(kind => Type.Literal(kind))))),
    note: Type.Optional(Text),
  },
  closed,
);
export type Control = Static<typeof Control>;

/**
 * A framework as data. `title_owned`: the control titles are our own wording, because the publisher's text is not
 * free (ISO, AICPA, PCI SSC, CIS); false means they are the publisher's, used under `licence`.
 */
export const Framework = Type.Object(
  {
    framework: Type.String({ pattern: "^[a-z][a-z0-9-]{1,39}$" }),
    title: Text,
    version: Type.String({ minLength: 1, maxLength: 80 }),
    licence: Text,
    source: Type.String({ pattern: "^https://", maxLength: 300 }),
    title_owned: Type.Boolean(),
    note: Type.Optional(Text),
    controls: Type.Array(Control, { minItems: 1, maxItems: 500 }),
  },
  closed,
);
export type Framework = Static<typeof Framework>;

/** Reads one framework file. Throws DocumentError, with the place in the file, when it is not one. */
export function parseFramework(text: string, name: string): Framework {
  return parseDocument(Framework, text, name);
}
