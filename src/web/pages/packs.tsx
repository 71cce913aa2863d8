import { Link } from "wouter-preact";
import { Card, Page } from "../parts/page.tsx";
import { Await, Empty } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { ApiError } from "../state/api.ts";
import { packList } from "../state/policy.ts";
import { number } from "../state/times.ts";
import { useAsk } from "../state/use-ask.ts";

export default function Packs() {
  const asked = useAsk(packList, []);
  const notEntitled = asked.error instanceof ApiError && asked.error.code === "plan_required";
  return (
    <Page
      title="Rule packs"
      says="Signed sets of rules that agents pull. The policy decides which are on and may weaken or tighten each rule."
    >
      <Card>
        {notEntitled ? (
          <Empty icon="lock" title="Your plan has no packs">
            The rules of your own policy apply.{" "}
            <Link class="link" href="/settings">
              See the plans
            </Link>
            .
          </Empty>
        ) : (
          <Await asked={asked}>
            {packs => (
              <Table
                label="Rule packs"
                rows={packs}
                keyOf={pack => pack.name}
                columns={[
                  {
                    title: "Pack",
                    cell: ({ name }) => (
                      <Link class="font-medium whitespace-nowrap hover:underline" href={`/packs/${name}`}>
                        {name}
                      </Link>
                    ),
                  },
                  {
                    title: "Guards",
                    cell: ({ title, description }) => (
                      <>
                        {title}
                        <span class="block text-xs text-soft">{description}</span>
                      </>
                    ),
                  },
                  {
                    title: "Rules",
                    num: true,
                    cell: ({ name, rules }) => (
                      <Link class="link" href={`/packs/${name}`}>
                        {number(rules)}
                      </Link>
                    ),
                  },
                  { title: "Version", class: "max-sm:hidden", cell: ({ version }) => version },
                  {
                    title: "SHA-256",
                    class: "max-sm:hidden",
                    cell: ({ sha256 }) => <code title={sha256}>{sha256.slice(0, 12)}</code>,
                  },
                ]}
              />
            )}
          </Await>
        )}
      </Card>
    </Page>
  );
}
