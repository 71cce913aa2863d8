import { expect, test } from "bun:test";
import { Elysia } from "elysia";
import { route } from "./access.ts";
import { routeTable } from "./route-table.ts";

test("a route that does not say who may call it keeps the server from starting", () => {
  const app = new Elysia().get("/open", () => "everything");
  expect(() => routeTable(app)).toThrow("GET /open does not say who may call it");
});

test("paths are found by their fixed form first, parameters match one filled segment", () => {
  const declared = route({ need: "public", summary: "x" });
  const app = new Elysia()
    .get("/a/self", () => 1, declared)
    .get("/a/:id", () => 2, declared)
    .delete("/a/:id", () => 3, declared);
  const table = routeTable(app);
  expect([...table.find("/a/self")!.keys()]).toEqual(["GET"]);
  expect([...table.find("/a/7")!.keys()]).toEqual(["GET", "DELETE"]);
  for (const path of ["/a", "/a/", "/a/7/8", "/A/7", "/b"]) expect(table.find(path)).toBeUndefined();
});
