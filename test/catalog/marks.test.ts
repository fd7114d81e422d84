import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Environment } from "../../src/base/env.ts";
import { openCatalog } from "../../src/catalog/index/open.ts";
import { userHome } from "../../src/store/home.ts";
import { markSession } from "../../src/store/mark-session.ts";
import { claudeLine, claudeSession, id } from "./claude.ts";
import { emptyHome, find, places } from "./home.ts";

function mark(env: Environment, number: number, title: string, tags: readonly string[] = []): void {
  markSession(userHome(env), { agent: "claude-code", session: id(number) }, { title, tags });
}

test("the name the user gave is found after the session was written anew", async () => {
  const env = emptyHome();
  claudeSession(env, 1, ["an ordinary prompt"]);
  mark(env, 1, "Xylophone project");
  expect(places(await find(env, "xylophone"))).toHaveLength(1);
  claudeSession(env, 1, ["another prompt, and a longer one than before"]);
  expect(places(await find(env, "xylophone"))).toEqual([`claude-code:${id(1)}@`]);
});

test("the name the user gave is found after a rewind", async () => {
  const env = emptyHome();
  const file = claudeSession(env, 1, ["first thing", "second thing", "third thing"]);
  mark(env, 1, "Xylophone project");
  await find(env, "xylophone");
  const { uuid } = JSON.parse(claudeLine(env, 1, 0, "")) as { readonly uuid: string };
  const line = claudeLine(env, 1, 7, "instead of the second", { parentUuid: uuid });
  appendFileSync(file, `${line}\n`);
  expect(places(await find(env, "xylophone"))).toEqual([`claude-code:${id(1)}@`]);
  expect(places(await find(env, "instead"))).toHaveLength(1);
});

test("a session that comes back to an index made anew has its name and its tags", async () => {
  const env = emptyHome();
  const file = claudeSession(env, 1, ["an ordinary prompt"]);
  claudeSession(env, 2, ["stays"]);
  mark(env, 1, "Xylophone project", ["red"]);
  const content = readFileSync(file);
  rmSync(file);
  await find(env, "ordinary");
  writeFileSync(file, content);
  expect(places(await find(env, "xylophone"))).toEqual([`claude-code:${id(1)}@`]);
  expect(places(await find(env, "ordinary tag:red"))).toHaveLength(1);
});

test("a new session does not have the names of the others put into the index once more", async () => {
  const env = emptyHome();
  claudeSession(env, 1, ["an ordinary prompt"]);
  mark(env, 1, "Xylophone project");
  await find(env, "xylophone");
  const before = titleEvent(env);
  claudeSession(env, 2, ["new here"]);
  expect(places(await find(env, "xylophone OR new"))).toHaveLength(2);
  expect(titleEvent(env)).toBe(before);
});

/** The number of the first session's name in the index. */
function titleEvent(env: Environment): number | null {
  const catalog = openCatalog(userHome(env).derived);
  if ("why" in catalog) throw new Error(catalog.why);
  const row = catalog.connection
    .prepare("select title_event as event from source where session = ?")
    .get(id(1)) as { readonly event: number | null };
  catalog.close();
  return row.event;
}
