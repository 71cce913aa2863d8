import { Type as T } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Verdict } from "../../domain/policy/verdict.ts";
import { refusal } from "../../errors.ts";
import { type Answer, type Dialect, isProblem, type Reading } from "../../hooks/dialect.ts";
import { dialects, isClient } from "../../hooks/index.ts";
import { MIB, route } from "../access.ts";
import { declaredBy } from "../declared.ts";
import type { Parts } from "../parts.ts";
import { query } from "../schema.ts";
import { agentOf } from "../visit.ts";

const Event = query({ event: T.Optional(T.String({ pattern: "^[A-Za-z_]{1,64}$" })) });

/**
 * For agents that can call an address instead of a program: their own payload in, their own answer out. Before a tool runs
 * the answer is the organisation's verdict, logged; everything else is stored as an event.
 */
export function hookRoutes({ dispatch, now }: Parts) {
  return new Elysia().post(
    "/hooks/:client",
    async ({ params: { client }, query, body, request }) => {
      const { agent, org } = agentOf(request);
      if (!isClient(client)) throw refusal("not_found", "Gatehouse knows no coding agent of that name.");
      const dialect = dialects[client];
      const ambient = {
        now_ms: now(),
        random: () => crypto.randomUUID(),
        servers: await declaredBy(dispatch, org, agent),
        ...(query.event ? { hook: query.event } : {}),
      };
      const read = dialect.parse(body, ambient);
      if (isProblem(read)) throw refusal("invalid", `This is not a hook of ${client}: ${read.problem}.`);
      const { calls, event, phase } = read;
      if (phase === "before" && calls.length > 0)
        return answered(dialect, read, await dispatch.ask(org, "hooks.judge", { agent, calls, event }));
      const bytes = new TextEncoder().encode(JSON.stringify([event]));
      await dispatch.ask(
        org,
        "events.ingest",
        { agent, media: "json", encoding: "identity", bytes },
        { bytes: bytes.byteLength },
      );
      return answered(dialect, read);
    },
    {
      params: T.Object({ client: T.String({ maxLength: 64 }) }),
      query: Event,
      ...route({
        need: "agent",
        busy: true,
        body_max_bytes: 4 * MIB,
        summary: "A coding agent's own hook payload, answered in its own form",
        tags: ["agents"],
        extension: true,
      }),
    },
  );
}

/** Agents that are answered by exit status and stderr get the two as members: the caller has to pass them on. */
function answered(dialect: Dialect, read: Reading, verdict?: Verdict): unknown {
  const answer: Answer = dialect.answer(read, verdict);
  return answer.stdout ? JSON.parse(answer.stdout) : { exit: answer.exit, stderr: answer.stderr };
}
