import { Kind, type TInteger, type TProperties, TypeRegistry, Type as T } from "@sinclair/typebox";

/** A body whose unknown members are ignored. */
export const body = <P extends TProperties>(properties: P) => T.Object(properties, { additionalProperties: true });
/** A query whose unknown members are ignored: they never reach the handler, which passes the rest on as it is. */
export function query<P extends TProperties>(properties: P) {
  const pick = (given: object) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(properties, name)));
  const open = T.Object(properties, { additionalProperties: true });
  return T.Transform(open)
    .Decode(given => pick(given) as typeof given)
    .Encode(given => given);
}
interface Whole {
  minimum: number;
  maximum: number;
  description?: string;
}
const WHOLE = "GatehouseWhole";
TypeRegistry.Set<Whole>(WHOLE, ({ minimum, maximum }, text) => {
  if (typeof text !== "string" || !/^-?\d{1,16}$/.test(text)) return false;
  return Number(text) >= minimum && Number(text) <= maximum;
});
/** A whole number in a query, in plain decimal digits. Described as a number, read from text. */
export function whole(options: Whole): TInteger {
  const text = T.Unsafe<string>({ [Kind]: WHOLE, type: "integer", ...options });
  return T.Transform(text).Decode(Number).Encode(String) as unknown as TInteger;
}
/** Settings and policies: an unknown member is a mistake (422). */
export const settings = <P extends TProperties>(properties: P) => T.Object(properties, { additionalProperties: false });

export const STRING_MAX = 32 * 1024;
export const Text = T.String({ maxLength: STRING_MAX });
export const Line = T.String({ minLength: 1, maxLength: 200 });
/** What people call a thing: shown in lists and letters, so one line that is not blank. */
export const Name = T.String({
  ...{ minLength: 1, maxLength: 200, pattern: "^(?=.*\\S)[^\\x00-\\x1f\\x7f]+$" },
  description: "One line of text that is not blank",
});
export const Email = T.String({ minLength: 1, maxLength: 320 });
export const Password = T.String({ minLength: 1, maxLength: 1024 });
/** Chosen by the installation, kept by it. */
export const InstallationId = T.String({ pattern: "^[A-Za-z0-9._:-]{1,128}$" });
export const Id = T.String({ minLength: 1, maxLength: 128 });
export const Decision = T.Union([T.Literal("ALLOW"), T.Literal("WARN"), T.Literal("ASK"), T.Literal("BLOCK")]);
export const Severity = T.Union([T.Literal("low"), T.Literal("medium"), T.Literal("high"), T.Literal("critical")]);
/** RFC 3339; checked for being a real moment where it is used. */
export const Time = T.String({ minLength: 10, maxLength: 40, description: "RFC 3339 time" });
