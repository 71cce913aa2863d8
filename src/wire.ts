/**
 * How a message goes between threads: as JSON text where it carries no bytes, since cloning an object costs both threads
 * about twice as much as writing and reading the text does. Members that are undefined do not arrive.
 */
export const toWire = <M extends Message>(message: M): M | string =>
  carriesBytes(message) ? message : JSON.stringify(message);

export const fromWire = <M extends Message>(data: M | string): M =>
  typeof data === "string" ? (JSON.parse(data) as M) : data;

/** As much of the protocol as it takes to see bytes: shared in the first message, in `input.bytes`, in an answer's chunks. */
interface Message {
  kind: string;
  input?: unknown;
}

function carriesBytes({ kind, input }: Message): boolean {
  if (kind === "start" || kind === "chunk") return true;
  return (input as { bytes?: unknown } | null | undefined)?.bytes instanceof Uint8Array;
}
