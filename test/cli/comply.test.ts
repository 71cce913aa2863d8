import { beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run as comply } from "../../src/cli/comply.ts";
import { useLaptop, useOrganisation } from "./laptop.ts";

const laptop = useLaptop();
const { call } = laptop;
const { ask, enrol } = useOrganisation(laptop);

let project: string;
beforeEach(() => {
  project = join(laptop.folder, "shop");
  mkdirSync(join(project, ".claude"), { recursive: true });
  writeFileSync(join(project, ".claude/settings.json"), '{"permissions":{"defaultMode":"bypassPermissions"}}');
});
const scan = (...args: string[]) => call(comply, ["scan", project, "--no-home", ...args]);

describe("comply scan", () => {
  test("prints a report, native JSON or SARIF, or writes it to a file", async () => {
    expect((await scan()).out).toStartWith("critical GH-PERM-001");
    expect(JSON.parse((await scan("--json")).out)).toMatchObject({
      project: "shop",
      tool: { name: "gatehouse-comply" },
    });
    expect(JSON.parse((await scan("--format", "sarif")).out).version).toBe("2.1.0");
    const file = join(laptop.folder, "scan.sarif");
    expect((await scan("--format", "sarif", "--output", file)).out).toBe("");
    expect(JSON.parse(readFileSync(file, "utf8")).version).toBe("2.1.0");
  });

  test("exit 3 at and above --fail-on", async () => {
    expect((await scan()).code).toBe(3);
    expect((await scan("--fail-on", "critical")).code).toBe(3);
    expect((await scan("--fail-on", "never")).code).toBe(0);
    writeFileSync(join(project, ".claude/settings.json"), "{}");
    expect((await scan("--fail-on", "critical")).code).toBe(0);
  });

  test("what is wrongly called scans nothing", async () => {
    expect((await call(comply, [])).code).toBe(2);
    expect((await call(comply, [project])).code).toBe(2);
    expect((await scan("--fail-on", "often")).code).toBe(2);
    expect((await scan("--format", "xml")).code).toBe(2);
    expect(await call(comply, ["scan", join(project, "nowhere")])).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("is not a folder"),
    });
  });

  test("--upload sends it to the organisation, once however often it is sent, and needs an enrolment", async () => {
    expect((await scan("--upload")).code).toBe(1);
    await enrol();
    const { code, err } = await scan("--upload", "--project", "acme/shop");
    expect([code, err]).toEqual([3, expect.stringMatching(/^Uploaded as \S+: .*\d+ fail/)]);
    const latest = (await ask("GET", "/compliance/scans/latest?project=acme/shop")).json;
    expect(latest).toMatchObject({ project: "acme/shop", tools: [{ name: "gatehouse-comply" }] });
    expect(latest.summary.fail).toBeGreaterThan(0);
    const detail = (await ask("GET", `/compliance/scans/detail?id=${latest.id}`)).json;
    expect(detail.results).toContainEqual(
      expect.objectContaining({ rule_id: "GH-PERM-001", status: "fail", severity: "critical" }),
    );
    expect(existsSync(join(project, "gatehouse.sarif"))).toBe(false);
  });
});

describe("comply import", () => {
  const sarif = join(import.meta.dirname, "../fixtures/scans/eslint.sarif");

  test("sends what another scanner found, from a file or standard input", async () => {
    await enrol();
    const { code, out } = await call(comply, ["import", sarif, "--project", "acme/web"]);
    expect([code, out]).toEqual([0, expect.stringMatching(/^Uploaded as \S+: .*\d+ fail/)]);
    const again = await call(comply, ["import", "-", "--project", "acme/web", "--json"], readFileSync(sarif, "utf8"));
    expect(out).toContain(JSON.parse(again.out).id);
    expect((await ask("GET", "/compliance/scans/latest?project=acme/web")).json.tools).toMatchObject([
      { name: "ESLint" },
    ]);
  });

  test("what is no scan, or cannot be sent, says why", async () => {
    expect(await call(comply, ["import", sarif])).toMatchObject({ code: 1, err: expect.stringContaining("login") });
    await enrol();
    const broken = await call(comply, ["import", "-"], "{");
    expect(broken).toMatchObject({ code: 1, err: expect.stringContaining("is not JSON") });
    expect((await call(comply, ["import", "-", "--project", "x"], '{"runs":1}')).code).toBe(1);
    expect((await call(comply, ["import", join(project, "nowhere.sarif")])).code).toBe(1);
    expect((await call(comply, ["import"])).code).toBe(2);
  });
});
