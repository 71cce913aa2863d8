import { refusal } from "../errors.ts";
import { type Context, read } from "./answer.ts";

function entitledPacks(context: Context) {
  if (!context.standing.entitled)
    throw refusal("plan_required", "Rule packs are not part of this organisation's plan.");
  return context.rulebooks.packs();
}

/** `GET /packs`: in the order of their names. */
export const list = read((context, { after, limit }: { after?: string; limit: number }) =>
  entitledPacks(context)
    .filter(pack => after === undefined || pack.name > after)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, limit)
    .map(({ content, plan, ...shown }) => shown),
);

export const get = read((context, { name }: { name: string }) => {
  const pack = entitledPacks(context).find(one => one.name === name);
  if (!pack) throw refusal("not_found", "There is no pack of that name.");
  const { plan, ...shown } = pack;
  return shown;
});
