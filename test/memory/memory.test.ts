import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Environment } from "../../src/base/env.ts";
import { openMemory } from "../../src/memory.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

function environment(home = temporaryFolder(), project = "app"): Environment {
  const cwd = join(home, project);
  mkdirSync(cwd, { recursive: true });
  return { variables: {}, platform: "linux", home, cwd };
}

/** Every byte below a folder. */
function bytesBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, "latin1"))
    .join("\n");
}

describe("memories", () => {
  test("what was stored is there for the next process, with its version and sum", async () => {
    const env = environment();
    const memory = openMemory({ env });
    const stored = await memory.store({ key: "test command", value: "npm test", tags: ["build"] });
    memory.close();
    const again = await openMemory({ env }).get("test command");
    expect(again).toMatchObject({ id: stored.id, value: "npm test", version: 1, owner: "user" });
    expect(again?.checksum).toHaveLength(64);
  });

  test("the same key of the same owner is one entry with versions", async () => {
    const memory = openMemory({ env: environment() });
    await memory.store({ key: "port", value: 3000 });
    await memory.store({ key: "port", value: 8080 });
    const { entries, total } = await memory.query();
    expect(total).toBe(1);
    expect(entries[0]).toMatchObject({ value: 8080, version: 2 });
    expect((await memory.history("port")).map(({ value }) => value)).toEqual([8080, 3000]);
  });

  test("dates, maps, sets, bytes and objects that look like them come back as they were", async () => {
    const memory = openMemory({ env: environment() });
    const value = {
      when: new Date(0),
      map: new Map([["a", new Set([1, 2])]]),
      bytes: new Uint8Array([0, 255]),
      odd: { $date: "not a date of ours" },
      odder: { $object: { $map: [] } },
    };
    await memory.store({ key: "rich", value });
    expect((await memory.get("rich"))?.value).toEqual(value);
  });

  test("what JSON and memories cannot hold is refused with its place", async () => {
    const memory = openMemory({ env: environment() });
    await expect(memory.store({ key: "k", value: { a: [1n] } })).rejects.toThrow("value.a.0");
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    await expect(memory.store({ key: "k", value: cycle })).rejects.toThrow("a cycle");
    await expect(memory.store({ key: "", value: 1 })).rejects.toMatchObject({ code: "bad_input" });
    expect((await memory.query()).total).toBe(0);
  });

  test("a forgotten text is nowhere below the home, and the entry does not come back", async () => {
    const env = environment();
    const memory = openMemory({ env });
    const canary = "the-canary-sings-at-dawn";
    await memory.store({ key: "secret", value: "older" });
    await memory.store({ key: "secret", value: canary });
    await memory.store({ key: "other", value: "stays" });
    await memory.query({ text: canary });
    const { ids } = await memory.forget(["secret"]);
    expect(bytesBelow(env.home)).not.toContain(canary);
    expect((await memory.query({ statuses: "all" })).entries.map(({ key }) => key)).toEqual([
      "other",
    ]);
    const types = ["long-term"];
    expect((await memory.audit())[0]).toMatchObject({ action: "forget", ids, types });
    await memory.query({ text: "stays" });
    expect(bytesBelow(env.home)).not.toContain(canary);
  });

  test("a writer that was open while another one forgot loses nothing and brings nothing back", async () => {
    const env = environment();
    const [one, two] = [openMemory({ env }), openMemory({ env })];
    await one.store({ key: "a", value: "first" });
    await two.store({ key: "b", value: "forget me" });
    await two.forget(["b"]);
    await one.store({ key: "c", value: "after" });
    const keys = (await two.query({ sort: "key" })).entries.map(({ key }) => key);
    expect(keys).toEqual(["a", "c"]);
    expect(bytesBelow(env.home)).not.toContain("forget me");
  });

  test("the index can be deleted at any time and comes back by itself", async () => {
    const env = environment();
    const memory = openMemory({ env });
    await memory.store({ key: "a", value: "apples and pears" });
    rmSync(join(memory.home.derived), { recursive: true });
    expect((await memory.query({ text: "pears" })).total).toBe(1);
  });

  test("what a list shows of a memory names it: its value, with its type, and its beginning", async () => {
    const memory = openMemory({ env: environment() });
    const made = { type: "knowledge", status: "proposed", metadata: { keyOf: "value" } } as const;
    const build = await memory.store({ key: "command: make all", value: "make all", ...made });
    await memory.store({ key: "command: make docs", value: "make docs", ...made });
    const port = await memory.store({ key: "port", value: "8080 in  tests" });
    for (const shown of ["make all", "knowledge: make all", "command: make all", build.id])
      expect((await memory.find(shown)).id).toBe(build.id);
    expect((await memory.find("knowledge: make al…")).id).toBe(build.id);
    expect((await memory.find("port: 8080 in tests")).id).toBe(port.id);
    await expect(memory.find("make")).rejects.toMatchObject({ code: "ambiguous" });
    await expect(memory.find("decision: make all")).rejects.toMatchObject({ code: "not_found" });
    await expect(memory.find("all")).rejects.toMatchObject({ code: "not_found" });
  });

  test("a pattern that would take for ever is stopped, and others find their keys", async () => {
    const memory = openMemory({ env: environment() });
    await memory.store({ key: `${"a".repeat(60)}!`, value: 1 });
    await memory.store({ key: "port of staging", value: 2 });
    const slow = memory.query({ keyPattern: "^(a+)+$" });
    await expect(slow).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringContaining("takes longer"),
    });
    const { entries, total } = await memory.query({ keyPattern: "^port .*g$" });
    expect([total, entries[0]?.value]).toEqual([1, 2]);
    expect((await memory.query({ keyPattern: "^(a+)!$" })).total).toBe(1);
  });

  test("projects do not see each other; the user's own is seen everywhere", async () => {
    const home = temporaryFolder();
    const [one, two] = [environment(home, "one"), environment(home, "two")];
    await openMemory({ env: one }).store({ key: "k", value: "of one" });
    await openMemory({ env: one }).store({ key: "open", value: "public", access: "public" });
    await openMemory({ env: one, namespace: "user" }).store({ key: "name", value: "Alice" });
    const memory = openMemory({ env: two });
    expect((await memory.query()).entries.map(({ key }) => key)).toEqual(["name"]);
    const all = await memory.query({ namespaces: "all", sort: "key" });
    expect(all.entries.map(({ key }) => key)).toEqual(["name", "open"]);
  });

  test("what is private is its owner's alone, in every way to read it", async () => {
    const env = environment();
    const agent = openMemory({ env, owner: "codex" });
    const { id } = await agent.store({ key: "mine", value: "private words", access: "private" });
    const other = openMemory({ env, owner: "gemini-cli" });
    expect(await other.get("mine")).toBeUndefined();
    expect(await other.get(id)).toBeUndefined();
    expect((await other.query({ text: "private" })).total).toBe(0);
    expect((await other.query({ ids: [id], namespaces: "all" })).total).toBe(0);
    await expect(other.history(id)).rejects.toMatchObject({ code: "not_found" });
    await expect(other.forget([id])).rejects.toMatchObject({ code: "not_found" });
    expect((await agent.get("mine"))?.value).toBe("private words");
  });

  test("only its owner and the user may change an entry", async () => {
    const env = environment();
    await openMemory({ env, owner: "codex" }).store({ key: "k", value: 1 });
    const other = openMemory({ env, owner: "gemini-cli" });
    await expect(other.update("k", { value: 2 })).rejects.toMatchObject({ code: "no_permission" });
    expect(await openMemory({ env }).update("k", { value: 3 })).toMatchObject({
      value: 3,
      version: 2,
    });
  });

  test("a reference may be the beginning of a key or an id; what it may mean is listed, and nothing changes", async () => {
    const memory = openMemory({ env: environment() });
    const { id } = await memory.store({ key: "deploy command", value: "make ship" });
    await memory.store({ key: "deploy target", value: "fly" });
    await memory.store({ key: "deploy", value: "on Fridays" });
    expect((await memory.find("deploy")).value).toBe("on Fridays");
    expect((await memory.find("deploy c")).id).toBe(id);
    expect((await memory.find(id.slice(0, -1))).id).toBe(id);
    await expect(memory.find("depl")).rejects.toMatchObject({
      code: "ambiguous",
      details: {
        count: 3,
        candidates: expect.arrayContaining([expect.objectContaining({ ref: id })]),
      },
    });
    await expect(memory.find("")).rejects.toMatchObject({ code: "not_found" });
    await expect(memory.find("eploy")).rejects.toMatchObject({ code: "not_found" });
    // What changes or forgets in a program names whole keys.
    await expect(memory.forget(["deploy t"])).rejects.toMatchObject({ code: "not_found" });
    expect((await memory.query()).total).toBe(3);
  });

  test("an entry with a file as evidence is stale once the file changes", async () => {
    const env = environment();
    const memory = openMemory({ env });
    await memory.store({
      key: "k",
      value: "v",
      evidence: [{ kind: "file", path: join(env.cwd, "gone.ts"), sha256: "0".repeat(64) }],
    });
    await memory.store({ key: "sound", value: "v" });
    expect((await memory.query({ stale: true })).entries.map(({ key }) => key)).toEqual(["k"]);
    expect((await memory.query({ stale: false })).entries.map(({ key }) => key)).toEqual(["sound"]);
  });

  test("short-term entries expire after seven days and are left out then", async () => {
    const memory = openMemory({ env: environment() });
    const { expiresAt } = await memory.store({ key: "k", value: "v", type: "short-term" });
    expect(Date.parse(expiresAt!) - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
    await memory.update("k", { expiresAt: "2020-01-01T00:00:00Z" });
    expect((await memory.query()).total).toBe(0);
    expect((await memory.query({ expired: true })).total).toBe(1);
  });

  test("the quota of a namespace is held", async () => {
    const memory = openMemory({ env: environment(), mostEntries: 2 });
    await memory.storeAll([1, 2].map((n) => ({ key: `k${n}`, value: n })));
    await expect(memory.store({ key: "k3", value: 3 })).rejects.toMatchObject({
      code: "too_large",
    });
    await memory.store({ key: "k2", value: "changed" });
  });
});
