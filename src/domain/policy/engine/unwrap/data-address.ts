import { base64Decode } from "../fold/encodings.ts";

const address = /^data:[^,]{0,80}?(;base64)?,(.*)$/s;

/** The code in `data:text/javascript,code`; undefined where the text is no such address. */
export function addressed(text: string): string | undefined {
  const [, packed, body] = address.exec(text) ?? [];
  if (body === undefined) return undefined;
  const plain = body.replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return packed ? base64Decode(plain) : plain;
}
