/** One way to get a verdict, as the bench asks it. */
export interface Judge {
  name: string;
  ask: (command: string) => unknown;
}

/** A package of this folder's own `package.json`; undefined where nobody has installed it. */
export async function installed(name: string): Promise<Record<string, unknown> | undefined> {
  try {
    return (await import(name)) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
