import { expect, test } from "vitest";
import { filterFields, whereQuery } from "../../src/programs/cli/memory/where.ts";
import { machine } from "./program.ts";

const nowMs = Date.parse("2026-11-18T12:00:00Z");

test("every filter of the library is a field of --where", () => {
  expect(Object.keys(filterFields).length).toBeGreaterThanOrEqual(30);
  const query = whereQuery(
    [
      "type=decision",
      "type=notepad",
      "tag=a",
      "tag=b",
      "no-tag=c",
      "size=1kb..2kb",
      "version=2..",
      "created=2026-11-01T00:00:00Z..7d",
      "stale=no",
      "has=evidence",
      "lacks=reference",
      "meta.team=core",
      "meta.weight=2",
    ],
    nowMs,
  );
  expect(query).toEqual({
    types: ["decision", "notepad"],
    tagsAll: ["a", "b"],
    tagsNone: ["c"],
    sizeBytes: { from: 1024, to: 2048 },
    version: { from: 2 },
    created: { from: "2026-11-01T00:00:00.000Z", to: "2026-11-11T12:00:00.000Z" },
    stale: false,
    hasEvidence: true,
    hasReference: false,
    metadata: { team: "core", weight: 2 },
  });
  for (const wrong of ["size", "size=..", "color=red", "type=x", "=", "stale=maybe", "__proto__=x"])
    expect(() => whereQuery([wrong], nowMs)).toThrow();
});

test("memories are stored with all their fields, filtered, counted, sorted and reset", () => {
  const here = machine();
  const memory = (...args: readonly string[]) => here.run("memory", ...args);
  memory("store", "base", "one");
  const stored = memory(
    ...["store", "port", "8080", "--json-value", "--type", "decision", "--tag", "server"],
    ...["--about", "base", "--depends-on", "base", "--meta", "team=core"],
    ...["--evidence", "codex:abc@12", "--ttl-days", "3"],
  );
  expect(stored.status).toBe(0);
  const shown = memory("get", "port").stdout;
  for (const text of [
    "about      base",
    "depends on base",
    '{"team":"core"}',
    "SHA-256",
    "created",
  ])
    expect(shown).toContain(text);
  const keys = (...where: readonly string[]): readonly string[] => {
    const flags = where.flatMap((one) => ["--where", one]);
    const { entries } = here.json("memory", "list", "--sort", "key", ...flags);
    return (entries as { key: string }[]).map(({ key }) => key);
  };
  expect(keys("has=evidence")).toEqual(["port"]);
  expect(keys("meta.team=core", "type=decision")).toEqual(["port"]);
  expect(keys("lacks=reference")).toEqual(["base"]);
  expect(keys("expires=..30d")).toEqual([]);
  expect(keys("updated=1d..")).toEqual(["base", "port"]);
  expect(keys("pattern=^b")).toEqual(["base"]);
  for (const wrong of ["meta.team", "meta.=core", "=", "nothing=1"])
    expect(memory("list", "--where", wrong).status).toBe(2);
  expect(memory("update", "port", "--ttl-days", "0").status).toBe(0);
  expect(memory("get", "port").stdout).not.toContain("expires");
  expect(memory("stats", "--by", "type", "--where", "has=evidence").stdout).toContain(
    "1  decision",
  );
  expect(memory("stats", "--by", "type", "one").stdout).not.toContain("decision");
  const stats = memory("stats").stdout;
  expect(stats).toContain("types: decision 1, long-term 1");
  expect(stats).toMatch(/on disk: logs \d+ bytes, index \d+ bytes; a query took [\d.]+ ms/);
  const down = here.json("memory", "list", "--sort", "key", "--order", "descending");
  expect((down["entries"] as { key: string }[])[0]!.key).toBe("port");
  const wrong = memory("list", "--where", "colour=red");
  expect(wrong.status).toBe(2);
  expect(wrong.stderr).toContain("Fields: id, key, prefix");
  expect(memory("clean", "--keep-versions", "1", "--yes").stdout).toContain("1 old version");
  expect(memory("reset", "--type", "decision").stdout).toContain("1 memories of type decision");
  expect(keys()).toEqual(["base", "port"]);
  expect(memory("reset", "--type", "decision", "--yes").status).toBe(0);
  expect(keys()).toEqual(["base"]);
});

test("a setting bounds how many memories there are, and an agent does not act as the user", () => {
  const here = machine();
  expect(here.run("config", "set", "memory.maxEntries", "1").status).toBe(0);
  expect(here.run("memory", "store", "a", "1").status).toBe(0);
  const refused = here.run("memory", "store", "b", "2");
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain("memory.maxEntries");
  here.env["REPRISE_AGENT"] = "codex";
  const acting = here.run("memory", "list", "--owner", "user");
  expect(acting.status).toBe(1);
  expect(acting.stderr).toContain("codex does not act as user");
  expect(here.run("memory", "backup").stderr).toContain("Only the user");
});

test("a decision goes back into the inbox from the command line", () => {
  const here = machine();
  here.runWith({ input: "" }, "memory", "store", "k", "v");
  expect(here.run("memory", "reopen", "k").status).toBe(4);
  here.run("memory", "export", "-o", "all.json");
  here.run("memory", "import", "all.json", "--conflict", "rename");
  const [{ id }] = here.json("memory", "inbox")["entries"] as [{ id: string }];
  here.run("memory", "approve", id);
  expect(here.run("memory", "reopen", id).stdout).toContain("Waits again: k");
  expect(here.json("memory", "inbox")["total"]).toBe(1);
});
