import { expect, test } from "bun:test";
import { parse } from "yaml";
import { readAsset } from "../../assets.ts";
import { pseudoRandom } from "./pseudo-random.ts";
import { parseScenario } from "./scenario.ts";
import { timeline } from "./timeline.ts";

const yaml = readAsset("seeds/demo.yaml");
const read = (text: string) => parseScenario(parse(text));
const now = Date.UTC(2026, 10, 20, 12);

test("the shipped scenario is sound, and one that names what is not there is refused", () => {
  expect(read(yaml).agents.length).toBe(8);
  expect(() => read(yaml.replace("visitor: maya.okafor", "visitor: nobody"))).toThrow('no member "nobody');
  expect(() => read(yaml.replace("servers: [github, postgres]", "servers: [gone]"))).toThrow("gone");
  expect(() => read(yaml.replace("agent: jonas-thinkpad", "agent: gone"))).toThrow("gone");
  expect(() => read(yaml.replace("weight: 30", "weights: 30"))).toThrow("/calls/0");
});

test("the story is the same every time, in order, in the past, and nobody acts before they exist", () => {
  const tell = () => timeline(read(yaml), now, pseudoRandom(1));
  const story = tell();
  expect(story).toEqual(tell());
  expect(story.length).toBeGreaterThan(800);
  const times = story.map(one => one.at_ms);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(times.at(-1)!).toBeLessThan(now);
  const registered = new Set<string>();
  for (const one of story) {
    if (one.kind === "registered") registered.add(one.agent.name);
    if (one.kind === "called") expect(registered.has(one.agent.name)).toBe(true);
  }
  expect(story[0]!.kind).toBe("founded");
  const night = story.filter(one => one.kind === "called" && new Date(one.at_ms).getUTCHours() < 6);
  expect(night).toEqual([]);
});
