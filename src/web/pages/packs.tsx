import { Link } from "wouter-preact";
import { Card, Page, Scroll } from "../parts/page.tsx";
import { Await, Empty } from "../parts/states.tsx";
import { ApiError } from "../state/api.ts";
import { packList } from "../state/policy.ts";
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
              <Scroll label="Rule packs">
                <table class="table">
                  <thead>
                    <tr>
                      <th>Pack</th>
                      <th>What it guards</th>
                      <th class="num">Rules</th>
                      <th>Version</th>
                      <th>SHA-256</th>
                    </tr>
                  </thead>
                  <tbody>
                    {packs.map(({ name, title, description, rules, version, sha256 }) => (
                      <tr key={name}>
                        <td class="whitespace-nowrap">
                          <Link class="font-medium hover:underline" href={`/packs/${name}`}>
                            {name}
                          </Link>
                        </td>
                        <td>
                          {title}
                          <span class="block text-xs text-soft">{description}</span>
                        </td>
                        <td class="num">{rules}</td>
                        <td>{version}</td>
                        <td>
                          <code title={sha256}>{sha256.slice(0, 12)}</code>
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </Scroll>
            )}
          </Await>
        )}
      </Card>
    </Page>
  );
}
