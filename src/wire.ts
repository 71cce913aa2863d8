/**
 * How messages go between threads: as JSON text where they carry few bytes or none, since cloning an object costs both threads
 * about twice as much as writing and reading the text does; and those of one turn together, since what a message costs beyond
 * its content is more than most contents do. Members that are undefined do not arrive.
 */
export class Wire<M extends Message> {
  readonly #send: (data: M | string, transfer?: ArrayBuffer[]) => void;
  readonly #later: (work: () => void) => void;
  #heads: string[] = [];
  #tails = "";

  /** `later` runs work at the end of the turn. */
  constructor(send: (data: M | string, transfer?: ArrayBuffer[]) => void, later: (work: () => void) => void) {
    this.#send = send;
    this.#later = later;
  }

  /** Messages arrive in the order in which they were posted. */
  post(message: M, transfer?: ArrayBuffer[]): void {
    if (carriesMuch(message)) {
      this.#flush();
      return this.#send(message, transfer);
    }
    const bytes = bytesOf(message);
    if (bytes) this.#tails += Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
    const head = bytes ? { ...message, input: { ...(message.input as object), bytes: bytes.length } } : message;
    if (this.#heads.push(JSON.stringify(head)) === 1) this.#later(() => this.#flush());
  }

  #flush(): void {
    if (this.#heads.length === 0) return;
    const text = `[${this.#heads.join(",")}]\n${this.#tails}`;
    this.#heads = [];
    this.#tails = "";
    this.#send(text);
  }
}

/** The messages of what has arrived. */
export function fromWire<M extends Message>(data: M | string): M[] {
  if (typeof data !== "string") return [data];
  // The messages stand in the first line, behind it their bytes, a character for each.
  let at = data.indexOf("\n") + 1;
  const messages = JSON.parse(data.slice(0, at)) as (M & { input?: { bytes?: unknown } | null })[];
  for (const { input } of messages)
    if (typeof input?.bytes === "number") input.bytes = Buffer.from(data.slice(at, (at += input.bytes)), "latin1");
  return messages;
}

/** As much of the protocol as it takes to see bytes: shared in the first message, in `input.bytes`, in an answer's chunks. */
interface Message {
  kind: string;
  input?: unknown;
}

/** Fewer bytes cost less as text than a message of their own does. */
const TEXT_BYTES_MAX = 16 * 1024;

const carriesMuch = (message: Message): boolean =>
  message.kind === "start" || message.kind === "chunk" || (bytesOf(message)?.length ?? 0) > TEXT_BYTES_MAX;

function bytesOf({ input }: Message): Uint8Array | undefined {
  const bytes = (input as { bytes?: unknown } | null | undefined)?.bytes;
  return bytes instanceof Uint8Array ? bytes : undefined;
}
