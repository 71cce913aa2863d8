import { expect, test } from "bun:test";
import { Sentence } from "./sentence.ts";

test.each([
  ["deletes tag {ref}", "v1", "deletes tag `v1`"],
  ["deletes tag {ref}", undefined, "deletes a tag"],
  [
    "rewrites the history of shared branch {ref} on the server",
    undefined,
    "rewrites the history of a shared branch on the server",
  ],
  ["writes straight to the device {path}", undefined, "writes straight to a device"],
  ["sends a secret to {host}", undefined, "sends a secret to another machine"],
  ["makes {program} load {path}", undefined, "makes a program load a file"],
])("%s with %p", (source, value, told) => {
  expect(new Sentence(source).with(() => value && `\`${value}\``)).toBe(told);
});
