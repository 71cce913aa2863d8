export type Env = Record<string, string | undefined>;

/** Where an installation keeps its things. Without a module of the runtime: hooks ask for it at every call. */
export const folderOf = (env: Env, user: string): string => env["GATEHOUSE_HOME"] || `${user}/.gatehouse`;
