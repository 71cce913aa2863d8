import { expect, test } from "bun:test";
import { type AnyElysia, Elysia } from "elysia";
import { createLogger } from "../logger.ts";
import { route } from "./access.ts";
import { mount } from "./mount.ts";
import { routeTable } from "./route-table.ts";

const logger = createLogger("error", () => {}, Date.now);
const tableOf = (app: AnyElysia) => routeTable({ routes: mount("", app.routes, () => app, logger) });

test("a route that does not say who may call it keeps the server from starting", () => {
  const app = new Elysia().get("/open", () => "everything");
  expect(() => tableOf(app)).toThrow("GET /open does not say who may call it");
});

test("paths are found by their fixed form first, parameters match one filled segment", () => {
  const declared = route({ need: "public", summary: "x" });
  const app = new Elysia()
    .get("/a/self", () => 1, declared)
    .get("/a/:id", () => 2, declared)
    .delete("/a/:id", () => 3, declared);
  const table = tableOf(app);
  expect([...table.find("/a/self")!.keys()]).toEqual(["GET"]);
  expect([...table.find("/a/7")!.keys()]).toEqual(["GET", "DELETE"]);
  for (const path of ["/a", "/a/", "/a/7/8", "/A/7", "/b"]) expect(table.find(path)).toBeUndefined();
});

test("what answers is made when the first of its routes is asked, and once", async () => {
  let made = 0;
  const app = new Elysia().get("/a", () => "a").get("/b", () => "b");
  const [a, b] = mount("/at", app.routes, () => (made++, app), logger);
  expect([a!.path, b!.path, made]).toEqual(["/at/a", "/at/b", 0]);
  const texts = [a!, b!].map(async ({ path, serve }) => (await serve(new Request(`http://host${path}`))).text());
  expect(await Promise.all(texts)).toEqual(["a", "b"]);
  expect(made).toBe(1);
});
