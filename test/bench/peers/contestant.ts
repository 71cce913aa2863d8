import { type Line, open } from "../load.ts";

/** Something that takes batches of events and acknowledges them once they are on disk. */
export interface Contestant {
  /** Of the process that does it; with its children. */
  pid: number;
  /** Sends one batch of events not sent before; resolved when it is acknowledged, rejected when refused. */
  send(connection: number, size: number): Promise<void>;
  stop(): Promise<void>;
}

/** Rejects when it takes longer than anything here may take. */
export async function within<T>(seconds: number, what: string, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${seconds} s`)), seconds * 1000);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Kept connections; one that its server has closed while others had their turn is opened anew. */
export class Lines {
  readonly #url: string;
  readonly #lines: (Line | undefined)[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  async send(connection: number, request: Uint8Array): Promise<void> {
    let line = this.#lines[connection];
    if (!line?.isOpen) this.#lines[connection] = line = await open(this.#url);
    const status = await line.send(request);
    if (status !== 200) throw new Error(`answered ${status}`);
  }

  close(): void {
    for (const line of this.#lines) line?.close();
  }
}
