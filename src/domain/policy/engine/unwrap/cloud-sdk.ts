/** Calls of a cloud's own library: `client.terminate_instances(…)` does what `aws ec2 terminate-instances` does. */
import type { Invocation } from "../../facts.ts";
import { invocation, type Machine } from "../run/machine.ts";

const verb =
  /^(?:delete|terminate|schedule|stop|deregister|detach|disable|purge|modify|put|leave|close|create|attach)_\w+$/;
const command =
  /^(Delete|Terminate|Schedule|Stop|Deregister|Detach|Disable|Purge|Leave|Close|Create|Attach)(\w+)Command$/;
/** The service a client is made for: `boto3.client('ec2')`, `@aws-sdk/client-ec2`. */
const service = /(?:client|resource)\(\s*['"]([\w-]+)['"]|@aws-sdk\/client-([\w-]+)/;

const dashed = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, (_, low, up, last) => (last ? `${last}-` : `${low}-${up}`))
    .replaceAll("_", "-")
    .toLowerCase();

/** The call as an invocation of the command line, where the code speaks of that library. */
export function cloudCall(m: Machine, name: string, code: string): Invocation | undefined {
  if (name === "destroy" && code.includes("pulumi") && code.includes("automation")) {
    const inv = invocation(m, "pulumi", m.at ?? [0, 0]);
    inv.subcommands.push("destroy");
    return inv;
  }
  const asCommand = command.exec(name);
  if (asCommand === null && !verb.test(name)) return undefined;
  const named = service.exec(code);
  if (named === null) return undefined;
  const inv = invocation(m, "aws", m.at ?? [0, 0]);
  const client = named[1] ?? named[2]!;
  inv.subcommands.push(client === "s3" ? "s3api" : client, dashed(asCommand ? asCommand[1]! + asCommand[2]! : name));
  return inv;
}
