/** What became of the log of one organisation: how many entries it has, or what went wrong. One line, as text or as JSON. */
export function outcomeLine(org: { id: string; name: string }, outcome: unknown, done: string, json: boolean): string {
  const { id, name } = org;
  if (outcome instanceof Error)
    return json ? JSON.stringify({ id, name, error: outcome.message }) : `${name} (${id}): ${outcome.message}`;
  return json ? JSON.stringify({ id, name, entries: outcome }) : `${name} (${id}): ${outcome} ${done}`;
}
