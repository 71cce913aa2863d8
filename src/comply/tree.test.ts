import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Format, parseTree, UnreadableFile } from "./tree.ts";

const at = (text: string, format: Exclude<Format, "text">, path: string) =>
  parseTree(text, format).select(path.split("."));

describe("values and their lines", () => {
  test("JSON with comments, tabs and trailing commas", () => {
    const text = '\ufeff{\n\t"a": { // no, "x"\n\t\t"b": ["//not a comment", /* , */ "y",],\n\t},\n}';
    expect(at(text, "json", "a.b.0")).toEqual([{ value: "//not a comment", key: "0", line: 3 }]);
    expect(at(text, "json", "a.*")).toMatchObject([{ key: "b", line: 3, value: ["//not a comment", "y"] }]);
  });
  test("any depth", () => {
    expect(at('{"a":{"t":1},"b":[{"t":2}],"t":3}', "json", "**.t").map(found => found.value)).toEqual([3, 1, 2]);
  });
  test("TOML", () => {
    const text = 'x = 1\n\n[mcp_servers.a]\ncommand = "c"\n[mcp_servers.b]\ncommand = "d"\n';
    expect(at(text, "toml", "mcp_servers.*.command")).toEqual([
      { value: "c", key: "command", line: 4 },
      { value: "d", key: "command", line: 6 },
    ]);
  });
  test("git's configuration, keys without case", () => {
    const text = '[Core]\n\tfsMonitor = x\n\tbare\n[url "https://A/"]\n\tinsteadOf = b\n';
    expect(at(text, "gitconfig", "core.fsmonitor")).toEqual([{ value: "x", key: "fsmonitor", line: 2 }]);
    expect(at(text, "gitconfig", "core.bare")[0]?.value).toBe("true");
    expect(at(text, "gitconfig", "url.*.insteadof")[0]?.value).toBe("b");
  });
  test("environment files", () => {
    expect(at("# A=1\nexport B='two'\nC = 3\n", "env", "*")).toEqual([
      { value: "two", key: "B", line: 2 },
      { value: "3", key: "C", line: 3 },
    ]);
  });
});

test("what is not what it should be is refused by name, nothing else is thrown", () => {
  for (const text of ["{", '{"a":1} x', "'a': 1", "a: b", ""])
    expect(() => parseTree(text, "json")).toThrow(UnreadableFile);
  expect(() => parseTree("a = ", "toml")).toThrow(UnreadableFile);
  expect(at("a: &x [*x]", "yaml", "a")[0]?.value).toEqual([null]);
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    fc.string({ unit: fc.constantFrom("{", "}", "[", "]", '"', ",", ":", "/", "*", "\n", "a", "=") }),
  );
  fc.assert(
    fc.property(
      text,
      fc.constantFrom<Exclude<Format, "text">>("json", "yaml", "toml", "gitconfig", "env"),
      (given, format) => {
        try {
          parseTree(given, format).select(["**"]);
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableFile);
        }
      },
    ),
    { numRuns: 500 },
  );
});

test("JSON reads as JSON.parse reads it", () => {
  fc.assert(
    fc.property(
      fc.jsonValue().filter(value => typeof value === "object" && value !== null),
      value => {
        const text = JSON.stringify(value, null, 1);
        expect(parseTree(text, "json").select([])[0]?.value).toEqual(JSON.parse(text));
      },
    ),
    { numRuns: 200 },
  );
});
