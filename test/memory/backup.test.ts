import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Environment } from "../../src/base/env.ts";
import { backupMemories, openMemory, readBackup, restoreMemories } from "../../src/memory.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

function environment(home = temporaryFolder(), project = "app"): Environment {
  const cwd = join(home, project);
  mkdirSync(cwd, { recursive: true });
  return { variables: {}, platform: "linux", home, cwd };
}

function bytesBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, "latin1"))
    .join("\n");
}

async function filled(env: Environment) {
  const memory = openMemory({ env });
  await memory.store({ key: "port", value: 3000 });
  await memory.store({ key: "port", value: 8080, tags: ["server"] });
  await memory.store({ key: "rich", value: new Map([["when", new Date(0)]]) });
  await memory.store({ key: "long", value: "many words ".repeat(500) });
  await memory.store({ key: "waits", value: "proposed", status: "proposed" });
  const agent = openMemory({ env, owner: "codex" });
  await agent.store({ key: "own", value: "private to codex", access: "private" });
  agent.close();
  const everywhere = openMemory({ env, namespace: "user" });
  await everywhere.store({ key: "name", value: "Alice" });
  everywhere.close();
  return memory;
}

const everything = { statuses: "all", expired: "any", sort: "key" } as const;

test("a backup brings everything back into an empty home: versions, times, owners, values", async () => {
  const env = environment();
  const memory = await filled(env);
  const before = (await memory.query(everything)).entries;
  const history = await memory.history("port");
  const audit = await memory.audit();
  memory.close();
  const made = await backupMemories({ env, file: join(env.home, "all.jsonl") });
  expect(made).toMatchObject({ entries: 6, versions: 7, damaged: 0 });
  expect(made.namespaces).toHaveLength(2);
  expect(statSync(made.path).mode & 0o777).toBe(0o600);
  rmSync(join(env.home, ".reprise"), { recursive: true });
  const plan = await restoreMemories(made.path, { env });
  expect(plan).toMatchObject({ restored: 6, versions: 7, kept: 0, damage: [] });
  expect((await memory.query(everything)).total).toBe(0);
  await restoreMemories(made.path, { env, apply: true });
  expect((await memory.query(everything)).entries).toEqual(before);
  expect(await memory.history("port")).toEqual(history);
  expect(await memory.audit()).toEqual(audit);
  expect((await openMemory({ env, owner: "codex" }).get("own"))?.value).toBe("private to codex");
  // Once more changes nothing.
  const again = await restoreMemories(made.path, { env, apply: true });
  expect(again).toMatchObject({ restored: 0, kept: 6 });
  expect((await memory.query(everything)).entries).toEqual(before);
});

test("what is newer here stays, unless the backup is to win", async () => {
  const env = environment();
  const memory = await filled(env);
  const { path } = await backupMemories({ env });
  await memory.update("port", { value: 9090 });
  await memory.forget(["rich"]);
  await memory.store({ key: "rich", value: "another entry of this key" });
  const skipped = await restoreMemories(path, { env, apply: true, forgotten: true });
  expect(skipped).toMatchObject({ restored: 0, kept: 5, taken: 0 });
  expect((await memory.get("port"))?.value).toBe(9090);
  const won = await restoreMemories(path, { env, apply: true, conflict: "overwrite" });
  expect(won.restored).toBe(1);
  expect(await memory.get("port")).toMatchObject({ value: 8080, version: 4 });
  expect((await memory.history("port")).map(({ value }) => value)).toEqual([
    8080, 9090, 8080, 3000,
  ]);
});

test("a key that another entry has here is left to it", async () => {
  const env = environment();
  const memory = openMemory({ env });
  await memory.store({ key: "k", value: "old" });
  memory.close();
  const { path } = await backupMemories({ env, file: join(env.home, "b.jsonl") });
  rmSync(join(env.home, ".reprise"), { recursive: true });
  await memory.store({ key: "k", value: "new" });
  expect(await restoreMemories(path, { env, apply: true })).toMatchObject({
    restored: 0,
    taken: 1,
  });
  expect((await memory.get("k"))?.value).toBe("new");
  await restoreMemories(path, { env, apply: true, conflict: "overwrite" });
  expect((await memory.get("k"))?.value).toBe("old");
});

test("what was forgotten does not come back from an older backup unless it is asked for", async () => {
  const env = environment();
  const memory = await filled(env);
  const outside = await backupMemories({ env, file: join(env.home, "outside.jsonl") });
  const inside = await backupMemories({ env });
  const { ids } = await memory.forget(["long"]);
  // Backups in the home lose it too; the file of the user is not touched.
  expect(readFileSync(inside.path, "utf8")).not.toContain(ids[0]!);
  expect(readBackup(inside.path).damage).toEqual([]);
  expect((await restoreMemories(inside.path, { env })).forgotten).toEqual([]);
  const plan = await restoreMemories(outside.path, { env, apply: true });
  expect(plan).toMatchObject({ restored: 0, forgotten: ids });
  expect(await memory.get("long")).toBeUndefined();
  const brought = await restoreMemories(outside.path, { env, apply: true, forgotten: true });
  expect(brought.restored).toBe(1);
  expect((await memory.get("long"))?.value).toBe("many words ".repeat(500));
});

test("a forgotten text is in no backup of the home, damaged ones included", async () => {
  const env = environment();
  const memory = openMemory({ env });
  const canary = "the-canary-sings-at-dusk";
  await memory.store({ key: "secret", value: canary });
  await memory.store({ key: "other", value: "stays here" });
  const [sound, torn] = [
    await backupMemories({ env }),
    await backupMemories({ env, folder: join(env.home, ".reprise", "memory", "backups") }),
  ];
  const lines = readFileSync(torn.path, "utf8").split("\n");
  const at = lines.findIndex((line) => line.includes(canary));
  writeFileSync(torn.path, lines.with(at, lines[at]!.replace("put", "put ")).join("\n"));
  const folder = join(env.home, ".reprise", "memory", "backups");
  writeFileSync(
    join(folder, "memories-damaged.jsonl"),
    lines.join("\n").replaceAll('"sum"', '"s"'),
  );
  await memory.forget(["secret"]);
  expect(bytesBelow(env.home)).not.toContain(canary);
  for (const { path } of [sound, torn]) {
    const { damage, namespaces } = readBackup(path);
    expect(damage).toEqual([]);
    expect(namespaces[0]!.facts.length).toBeGreaterThan(0);
  }
});

test("what a newer backup knows as forgotten is forgotten here too", async () => {
  const home = temporaryFolder();
  const env = environment(home);
  const memory = await filled(env);
  const old = await backupMemories({ env, file: join(home, "old.jsonl") });
  const { ids } = await memory.forget(["rich"]);
  memory.close();
  const fresh = await backupMemories({ env, file: join(home, "new.jsonl") });
  rmSync(join(home, ".reprise"), { recursive: true });
  await restoreMemories(old.path, { env, apply: true });
  expect(await memory.get("rich")).toBeDefined();
  expect((await restoreMemories(fresh.path, { env, apply: true })).forgets).toEqual(ids);
  expect(await memory.get("rich")).toBeUndefined();
  expect((await restoreMemories(old.path, { env })).forgotten).toEqual(ids);
});

test("a damaged backup is refused with what is damaged, and restored in part if that is asked for", async () => {
  const env = environment();
  (await filled(env)).close();
  const { path } = await backupMemories({ env, file: join(env.home, "b.jsonl") });
  const text = readFileSync(path, "utf8");
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.includes('"key":"rich"'));
  const bent = join(env.home, "bent.jsonl");
  writeFileSync(bent, lines.with(at, lines[at]!.replace("rich", "poor")).join("\n"));
  rmSync(join(env.home, ".reprise"), { recursive: true });
  await expect(restoreMemories(bent, { env, apply: true })).rejects.toMatchObject({
    code: "damaged",
    message: expect.stringContaining(`line ${at + 1}`),
  });
  const memory = openMemory({ env });
  expect((await memory.query(everything)).total).toBe(0);
  const part = await restoreMemories(bent, { env, apply: true, partial: true });
  expect(part).toMatchObject({ restored: 5, damage: [{ line: at + 1 }] });
  expect(await memory.get("rich")).toBeUndefined();
  expect((await memory.get("port"))?.value).toBe(8080);
  writeFileSync(bent, lines.toSpliced(at, 1).join("\n"));
  await expect(restoreMemories(bent, { env })).rejects.toThrow("missing or were moved");
  for (const cut of [1, Math.floor(text.length / 2), text.length - 3]) {
    writeFileSync(bent, text.slice(0, cut));
    await expect(restoreMemories(bent, { env })).rejects.toMatchObject({
      code: cut === 1 ? "bad_input" : "damaged",
    });
  }
});

test("a backup cannot name a file outside of the memories, and agents make and restore none", async () => {
  const env = environment();
  (await filled(env)).close();
  const { path } = await backupMemories({ env, file: join(env.home, "b.jsonl") });
  const { createHash } = await import("node:crypto");
  const said = JSON.stringify({ kind: "namespace", name: "x", file: "../../evil" });
  const sum = createHash("sha256").update(said).digest("hex");
  writeFileSync(path, `{"sum":"${sum}","line":${said}}\n${readFileSync(path, "utf8")}`);
  const { damage, namespaces } = readBackup(path);
  expect(damage[0]).toMatchObject({ line: 1 });
  expect(namespaces.map(({ namespace }) => namespace.file)).not.toContain("../../evil");
  await expect(backupMemories({ env, owner: "codex" })).rejects.toMatchObject({
    code: "no_permission",
  });
  await expect(restoreMemories(path, { env, owner: "codex" })).rejects.toMatchObject({
    code: "no_permission",
  });
});

test("a namespace that a backup names twice keeps all that is said of it", async () => {
  const env = environment();
  (await filled(env)).close();
  const { path } = await backupMemories({ env, file: join(env.home, "b.jsonl") });
  const facts = (): readonly number[] => readBackup(path).namespaces.map((one) => one.facts.length);
  const before = facts();
  const lines = readFileSync(path, "utf8").split("\n");
  const named = lines.filter((line) => line.includes('"kind":"namespace"'));
  writeFileSync(path, [...lines.slice(0, -2), ...named, ...lines.slice(-2)].join("\n"));
  expect(facts()).toEqual(before);
});
