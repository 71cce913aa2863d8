import type { Device } from "../directory/device-codes.ts";
import type { Actor } from "../domain/org/actor.ts";
import type { Parts } from "./parts.ts";
import { roomFor } from "./room.ts";

/**
 * The agent of an installation, in its organisation's log: logged before a token can exist. A new one that cannot be logged is
 * forgotten. Throws `plan_limit`.
 */
export async function registerAgent(parts: Parts, org: string, { client_id, name, ...said }: Device, actor: Actor) {
  const { directory, dispatch } = parts;
  const { agent: id, known } = directory.atomic(() => {
    const reserved = directory.agents.reserve(org, said.installation_id);
    // It counts itself by now: one more than allowed undoes it.
    if (!reserved.known) roomFor(parts, org, "agents", 0);
    return reserved;
  });
  const registration = { ...said, agent_id: id, name: name ?? said.hostname ?? client_id ?? "agent" };
  try {
    return { id, agent: await dispatch.ask(org, "agents.register", { agent: registration, actor }) };
  } catch (error) {
    if (!known) directory.agents.remove(org, id);
    throw error;
  }
}
