/**
 * How messages go between threads: as JSON text where they carry no bytes, since cloning an object costs both threads about
 * twice as much as writing and reading the text does; and those of one turn together, since what a message costs beyond its
 * content is more than most contents do. Members that are undefined do not arrive.
 */
export class Wire<M extends Message> {
  readonly #send: (data: M | string, transfer?: ArrayBuffer[]) => void;
  readonly #later: (work: () => void) => void;
  #texts: string[] = [];

  /** `later` runs work at the end of the turn. */
  constructor(send: (data: M | string, transfer?: ArrayBuffer[]) => void, later: (work: () => void) => void) {
    this.#send = send;
    this.#later = later;
  }

  /** Messages arrive in the order in which they were posted. */
  post(message: M, transfer?: ArrayBuffer[]): void {
    if (!carriesBytes(message)) {
      if (this.#texts.push(JSON.stringify(message)) === 1) this.#later(() => this.#flush());
      return;
    }
    this.#flush();
    this.#send(message, transfer);
  }

  #flush(): void {
    if (this.#texts.length === 0) return;
    const text = `[${this.#texts.join(",")}]`;
    this.#texts = [];
    this.#send(text);
  }
}

/** The messages of what has arrived. */
export const fromWire = <M extends Message>(data: M | string): M[] =>
  typeof data === "string" ? (JSON.parse(data) as M[]) : [data];

/** As much of the protocol as it takes to see bytes: shared in the first message, in `input.bytes`, in an answer's chunks. */
interface Message {
  kind: string;
  input?: unknown;
}

function carriesBytes({ kind, input }: Message): boolean {
  if (kind === "start" || kind === "chunk") return true;
  return (input as { bytes?: unknown } | null | undefined)?.bytes instanceof Uint8Array;
}
