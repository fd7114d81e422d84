import { expect, test } from "vitest";
import { freshen } from "../../src/catalog/index/freshen.ts";
import { openCatalog } from "../../src/catalog/index/open.ts";
import { userHome } from "../../src/store/home.ts";
import { claudeSession, id } from "./claude.ts";
import { emptyHome, find, options, places } from "./home.ts";

test("an update that fails while it is written is given up whole, and the same index takes the next one", async () => {
  const env = emptyHome();
  const catalog = openCatalog(userHome(env).derived);
  if ("why" in catalog) throw new Error(catalog.why);
  const { connection } = catalog;
  claudeSession(env, 1, ["the kumquat topic"]);
  claudeSession(env, 2, ["the rambutan topic", "went on", "and on"]);
  connection.exec(
    `create trigger refuse before insert on event when new.number = '3'
     begin select raise(abort, 'no such luck'); end`,
  );
  await expect(freshen(catalog, options(env))).rejects.toThrow("no such luck");
  connection.exec("drop trigger refuse");
  expect(connection.prepare("select id from event").all()).toEqual([]);
  expect(await freshen(catalog, options(env))).toMatchObject({ read: 2, pending: [] });
  catalog.close();
  expect(places(await find(env, "kumquat OR rambutan"))).toEqual([
    `claude-code:${id(1)}@1`,
    `claude-code:${id(2)}@1`,
  ]);
});
