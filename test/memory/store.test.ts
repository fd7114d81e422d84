import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Environment } from "../../src/base/env.ts";
import { type Memory, type MemoryQuery, openMemory } from "../../src/memory.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

function environment(): Environment {
  const home = temporaryFolder();
  const cwd = join(home, "app");
  mkdirSync(cwd);
  return { variables: {}, platform: "linux", home, cwd };
}

const day = 86_400_000;
const iso = (ms: number): string => new Date(ms).toISOString();

describe("queries", () => {
  async function filled(): Promise<Memory> {
    const memory = openMemory({ env: environment() });
    await memory.store({ key: "build.command", value: "npm run build", tags: ["build", "npm"] });
    await memory.store({ key: "test.command", value: "npm test", tags: ["test", "npm"] });
    await memory.store({
      key: "port",
      value: { http: 8080 },
      type: "decision",
      access: "public",
      tags: ["server"],
      metadata: { team: "core", weight: 2 },
      references: ["build.command"],
      dependencies: ["test.command"],
      evidence: [{ kind: "event", ref: "codex:abc@12" }],
    });
    await memory.store({ key: "port", value: { http: 9090 }, type: "decision", access: "public" });
    await memory.store({ key: "long", value: "word ".repeat(1000), type: "notepad" });
    await memory.store({ key: "soon gone", value: "v", type: "short-term" });
    await memory.store({ key: "gone", value: "v", expiresAt: "2020-01-01T00:00:00Z" });
    await memory.store({ key: "waits", value: "v", status: "proposed", provenance: "tool" });
    await memory.store({
      key: "stale",
      value: "v",
      evidence: [{ kind: "file", path: "/nowhere/at/all", sha256: "0".repeat(64) }],
    });
    await memory.store({ key: "newer", value: "w", supersedes: "stale" });
    await memory.get("test.command");
    memory.close();
    return memory;
  }

  const kept = ["build.command", "long", "newer", "port", "soon gone", "stale", "test.command"];
  const now = Date.now();
  const cases: readonly (readonly [MemoryQuery, readonly string[]])[] = [
    [{}, kept],
    [{ key: "port" }, ["port"]],
    [{ keyPrefix: "te" }, ["test.command"]],
    [{ keyPattern: "^(build|test)\\." }, ["build.command", "test.command"]],
    [{ tagsAll: ["npm", "test"] }, ["test.command"]],
    [{ tagsAny: ["test", "build"] }, ["build.command", "test.command"]],
    [{ tagsNone: ["npm"] }, kept.filter((key) => !key.endsWith("command"))],
    [{ types: ["decision", "notepad"] }, ["long", "port"]],
    [{ owners: ["user"] }, kept],
    [{ owners: ["codex"] }, []],
    [{ access: ["public"] }, ["port"]],
    [{ statuses: ["proposed"] }, ["waits"]],
    [{ statuses: "all", provenance: ["tool"] }, ["waits"]],
    [{ created: { from: iso(now - day) } }, kept],
    [{ created: { to: iso(now - day) } }, []],
    [{ updated: { from: iso(now - day), to: iso(now + day) } }, kept],
    [{ accessed: { from: iso(now - day) } }, ["test.command"]],
    [{ neverAccessed: false }, ["test.command"]],
    [{ expires: { to: iso(now + 8 * day) } }, ["soon gone"]],
    [{ sizeBytes: { from: 1024 } }, ["long"]],
    [{ compressed: true }, ["long"]],
    [{ version: { from: 2 } }, ["port"]],
    [{ expired: true }, ["gone"]],
    [{ hasEvidence: true }, ["stale"]],
    [{ evidence: "/nowhere" }, ["stale"]],
    [{ stale: true }, ["stale"]],
    [{ superseded: true }, ["stale"]],
    [{ supersedes: ["stale"] }, ["newer"]],
    [{ text: "npm build" }, ["build.command"]],
    [{ similarTo: "how do I build and test it" }, ["build.command", "test.command"]],
    [{ tagsAll: ["npm"], keyPrefix: "b" }, ["build.command"]],
  ];

  test("every filter finds what it says, in a list and in groups alike", async () => {
    const memory = await filled();
    for (const [query, keys] of cases) {
      const { entries, total } = await memory.query({ ...query, sort: "key" });
      expect([entries.map(({ key }) => key), query]).toEqual([keys, query]);
      expect(total).toBe(keys.length);
      const groups = await memory.group("status", query);
      expect([groups.reduce((sum, { count }) => sum + count, 0), query]).toEqual([
        keys.length,
        query,
      ]);
    }
  });

  test("links and metadata of the version in use are looked at", async () => {
    const memory = await filled();
    await memory.store({
      key: "linked",
      value: "x",
      metadata: { team: "core", weight: 2, on: true },
      references: ["build.command"],
      dependencies: ["test.command"],
    });
    for (const query of [
      { hasReference: true },
      { reference: "build.command" },
      { hasDependency: true },
      { dependency: "test.command" },
      { metadata: { team: "core", weight: 2 } },
      { metadata: { on: true } },
    ] satisfies readonly MemoryQuery[])
      expect((await memory.query(query)).entries.map(({ key }) => key)).toEqual(["linked"]);
    const health = (await memory.statistics()).health;
    expect(health.orphaned).toBe(0);
    await memory.forget(["build.command"]);
    expect((await memory.statistics()).health.orphaned).toBe(1);
  });

  test("seven sorts go both ways, and pages join to the whole", async () => {
    const memory = await filled();
    for (const sort of ["created", "updated", "accessed", "key", "size", "version"] as const) {
      const up = (await memory.query({ sort, order: "ascending" })).entries.map(({ id }) => id);
      const down = (await memory.query({ sort, order: "descending" })).entries.map(({ id }) => id);
      expect(up.toReversed()).toEqual(down);
      const pages: string[] = [];
      for (let offset = 0; offset < up.length; offset += 2) {
        const page = await memory.query({ sort, order: "ascending", limit: 2, offset });
        expect(page.total).toBe(up.length);
        pages.push(...page.entries.map(({ id }) => id));
      }
      expect(pages).toEqual(up);
    }
    const best = await memory.query({ similarTo: "npm test", sort: "relevance" });
    expect(best.entries[0]?.key).toBe("test.command");
  });

  test("statistics say how many, of what, how old, how large and how sound", async () => {
    const memory = await filled();
    const { overview, distribution, temporal, performance, health } = await memory.statistics();
    expect(overview).toMatchObject({ entries: 9, versions: 10, proposed: 1, archived: 0 });
    const names = (groups: readonly { readonly name: string }[]) => groups.map(({ name }) => name);
    expect(names(distribution.types)).toContain("decision");
    expect(names(distribution.tags)).toContain("npm");
    expect(names(distribution.provenance)).toEqual(["user", "tool"]);
    expect(distribution.namespaces).toHaveLength(1);
    expect(names(distribution.statuses)).toEqual(["kept", "proposed"]);
    expect(temporal).toMatchObject({ lastDay: 9, lastWeek: 9, neverAccessed: 8 });
    expect(temporal.days).toHaveLength(1);
    expect(performance.largestBytes).toBeGreaterThan(1024);
    expect(performance.logBytes).toBeGreaterThan(1000);
    expect(performance.indexBytes).toBeGreaterThan(1000);
    expect(health).toEqual({ expired: 1, orphaned: 0, stale: 1, damaged: 0 });
  });
});

describe("clean-up", () => {
  test("the log is written anew without old versions and notes of looks, and says the same", async () => {
    const env = environment();
    const memory = openMemory({ env });
    for (let value = 1; value <= 5; value += 1) await memory.store({ key: "k", value });
    await memory.store({ key: "other", value: "x".repeat(3000) });
    const plan = await memory.clean({ compress: true, keepVersions: 2 });
    expect(plan.compress).toMatchObject({ versions: 3, values: 0 });
    expect(await memory.history("k")).toHaveLength(5);
    const before = (await memory.statistics()).performance.logBytes;
    await memory.clean({ compress: true, keepVersions: 2, apply: true });
    expect((await memory.history("k")).map(({ value }) => value)).toEqual([5, 4]);
    expect((await memory.get("other"))?.value).toBe("x".repeat(3000));
    expect(await memory.get("k")).toMatchObject({ value: 5, version: 5 });
    expect((await memory.statistics()).performance.logBytes).toBeLessThan(before);
    await memory.store({ key: "k", value: 6 });
    expect(await memory.get("k")).toMatchObject({ value: 6, version: 6 });
  });

  test("duplicates go, unused ones are archived, expired ones are forgotten", async () => {
    const memory = openMemory({ env: environment() });
    await memory.store({ key: "a", value: "same" });
    await memory.store({ key: "b", value: "same" });
    await memory.store({ key: "gone", value: "v", expiresAt: "2020-01-01T00:00:00Z" });
    const plan = await memory.clean({ duplicates: true, archiveDays: -1 });
    expect(plan).toMatchObject({ expired: [expect.any(String)], duplicates: [expect.any(String)] });
    expect(plan.archive.length).toBe(2);
    await memory.clean({ duplicates: true, apply: true });
    expect((await memory.query({ statuses: "all", expired: "any" })).total).toBe(1);
  });

  test("a reset forgets every entry of some types, and an agent's own alone", async () => {
    const env = environment();
    const memory = openMemory({ env });
    await memory.store({ key: "n", value: "note", type: "notepad" });
    await memory.store({ key: "p", value: "waits", type: "notepad", status: "proposed" });
    await memory.store({ key: "d", value: "decided", type: "decision" });
    const agent = openMemory({ env, owner: "codex" });
    await agent.store({ key: "c", value: "of codex", type: "notepad" });
    expect(await agent.reset()).toHaveLength(1);
    expect(await memory.reset({ types: ["notepad"] })).toHaveLength(3);
    await memory.reset({ types: ["notepad"], apply: true });
    const { entries } = await memory.query({ statuses: "all" });
    expect(entries.map(({ key }) => key)).toEqual(["d"]);
    await memory.reset({ apply: true });
    expect((await memory.query({ statuses: "all" })).total).toBe(0);
  });
});

describe("quotas and callbacks", () => {
  test("the user's settings bound how many and how large, and a caller's options go before them", async () => {
    const env = environment();
    mkdirSync(join(env.home, ".reprise"));
    const settings = { memory: { maxEntries: 2, maxEntryBytes: 20 } };
    writeFileSync(join(env.home, ".reprise", "settings.json"), JSON.stringify(settings));
    const memory = openMemory({ env });
    await expect(memory.store({ key: "k", value: "x".repeat(40) })).rejects.toMatchObject({
      code: "too_large",
    });
    await memory.storeAll([1, 2].map((n) => ({ key: `k${n}`, value: n })));
    await expect(memory.update("k1", { value: "x".repeat(40) })).rejects.toMatchObject({
      code: "too_large",
    });
    await expect(memory.store({ key: "k3", value: 3 })).rejects.toMatchObject({
      code: "too_large",
    });
    const wider = openMemory({ env, mostEntries: 3, mostEntryBytes: 100 });
    await wider.store({ key: "k3", value: "x".repeat(40) });
    await expect(
      openMemory({ env, mostEntryBytes: 1e9 }).store({ key: "k3", value: "x".repeat(11_000_000) }),
    ).rejects.toMatchObject({ code: "too_large" });
  });

  test("callbacks hear of store, persist, retrieve and sync, in order; what throws before stops it", async () => {
    const heard: string[] = [];
    const env = environment();
    const names = ["Store", "Persist", "Retrieve", "Sync"].flatMap((what) => [
      `before${what}`,
      `after${what}`,
    ]);
    const callbacks = Object.fromEntries(
      names.map((name) => [name, async () => void heard.push(name)]),
    );
    const memory = openMemory({ env, callbacks });
    await memory.store({ key: "k", value: 1 });
    expect(heard).toEqual(["beforeStore", "beforePersist", "afterPersist", "afterStore"]);
    heard.length = 0;
    await memory.get("k");
    await memory.query({ key: "k" });
    expect(heard).toEqual(["beforeRetrieve", "afterRetrieve", "beforeRetrieve", "afterRetrieve"]);
    heard.length = 0;
    await memory.importRecords([{ key: "i", value: 1 }]);
    expect(heard).toEqual(["beforePersist", "afterPersist"]);
    heard.length = 0;
    await openMemory({ env }).store({ key: "elsewhere", value: 2 });
    await memory.sync();
    expect(heard).toEqual(["beforeSync", "afterSync"]);
    const refusing = openMemory({
      env,
      callbacks: {
        beforePersist: () => {
          throw new Error("not now");
        },
      },
    });
    await expect(refusing.store({ key: "never", value: 1 })).rejects.toThrow("not now");
    expect(await memory.get("never")).toBeUndefined();
  });
});

describe("access", () => {
  test("the audit trail and the history say nothing that is private to somebody else", async () => {
    const env = environment();
    const agent = openMemory({ env, owner: "codex" });
    const { id } = await agent.store({ key: "hidden key", value: "hidden", access: "private" });
    const other = openMemory({ env, owner: "gemini-cli" });
    expect(JSON.stringify(await other.audit())).not.toContain("hidden");
    expect(await other.audit()).toMatchObject([{ by: "codex", action: "store", ids: [id] }]);
    expect(await agent.audit()).toMatchObject([{ key: "hidden key" }]);
    await agent.update(id, { access: "shared", value: "shown" });
    expect((await other.history(id)).map(({ value }) => value)).toEqual(["shown"]);
    expect((await agent.history(id)).map(({ value }) => value)).toEqual(["shown", "hidden"]);
    for (const by of ["owner", "type", "tag", "day"] as const)
      expect(await other.group(by, { owners: ["nobody"] })).toEqual([]);
  });

  test("what is private to somebody else is in no export, no statistics and no conflict", async () => {
    const env = environment();
    const agent = openMemory({ env, owner: "codex" });
    await agent.store({ key: "mine", value: "private words", access: "private" });
    const other = openMemory({ env });
    expect([...other.records({ statuses: "all" })]).toEqual([]);
    expect((await other.statistics()).overview.entries).toBe(0);
    expect(await other.group("owner")).toEqual([]);
    await expect(other.find("mi")).rejects.toMatchObject({ code: "not_found" });
    expect((await other.reset()).length).toBe(0);
  });

  test("a decision that went back is in the log with who took it back, and nobody but the user does", async () => {
    const env = environment();
    const agent = openMemory({ env, owner: "codex" });
    await agent.store({ key: "k", value: "kept before" });
    const { id } = await agent.store({ key: "k", value: "proposed", status: "proposed" });
    const user = openMemory({ env });
    await expect(user.reopen(id)).rejects.toMatchObject({ code: "conflict" });
    await user.update(id, { status: "kept" });
    expect((await user.get("k"))?.value).toBe("proposed");
    await expect(agent.reopen(id)).rejects.toMatchObject({ code: "no_permission" });
    expect(await user.reopen(id)).toMatchObject({ status: "proposed", value: "proposed" });
    expect((await user.get("k"))?.value).toBe("kept before");
    expect((await user.find(id)).approvedBy).toBeUndefined();
    await user.update(id, { status: "rejected" });
    expect(await user.reopen(id)).toMatchObject({ status: "proposed" });
    expect(readFileSync(join(env.home, ".reprise", "memory", readLog(env)), "utf8")).toContain(
      '"by":"user"',
    );
  });
});

function readLog(env: Environment): string {
  return `${openMemory({ env }).namespace.file}.jsonl`;
}
