import { expect, test } from "vitest";
import { freshen } from "../../src/catalog/index/freshen.ts";
import { openCatalog } from "../../src/catalog/index/open.ts";
import type { Row } from "../../src/catalog/index/read-rows.ts";
import { TurnWriter } from "../../src/catalog/index/turn-writer.ts";
import { CatalogWriter } from "../../src/catalog/index/writer.ts";
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
    `create trigger refuse before insert on event when new.number = 3
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

test("what says next to nothing waits for no more memory than what says much", () => {
  const catalog = openCatalog(userHome(emptyHome()).derived);
  if ("why" in catalog) throw new Error(catalog.why);
  const { connection } = catalog;
  const turns = new TurnWriter(new CatalogWriter(connection));
  const ref = { agent: "pi", session: id(1), path: "/1.jsonl", sizeBytes: 1, modifiedMs: 1 };
  turns.begin({ ref, revision: 1, from: undefined });
  // Pictures: they are found by what they are, and have no words.
  const rows = Array.from({ length: 256 }, (_, at): Row => [`${at}`, 0, null, null, 0, null]);
  const [texts, rest] = [new Uint8Array(0), new Uint8Array(0)];
  const batch = { rows, texts, rest, events: 256, restart: false, cursor: "", learnt: {} };
  const written = connection.prepare("select count(*) as events from event");
  let taken = 0;
  while ((written.get() as { events: number }).events === 0 && taken < 1_000_000) {
    turns.take({ step: "add", batch, learns: false });
    taken += rows.length;
  }
  expect(taken).toBeLessThan(200_000);
  expect(written.get()).toEqual({ events: taken });
  catalog.close();
});
