import { mkdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Environment } from "../../src/base/env.ts";
import { memoryFormats, openMemory, readRecords, writeRecords } from "../../src/memory.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

function environment(): Environment {
  const home = temporaryFolder();
  const cwd = join(home, "app");
  mkdirSync(cwd);
  return { variables: {}, platform: "linux", home, cwd };
}

/** Texts that formats stumble over: quotation marks, line ends, brackets, control and non-Latin characters. */
const text = fc.stringMatching(/^[ -~\n\r\t"'<>&,;:{}[\]\\éß漢字🙂\u2028\u0085\u0001]{0,40}$/u);
const value = fc.oneof(
  text,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(text, { maxLength: 4 }),
  fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), text, { maxKeys: 4 }),
  fc.constant(new Map([["a", new Set([1, "two"])]])),
  fc.constant({ at: new Date(0), bytes: new Uint8Array([1, 2, 255]) }),
);

describe("exported memories", () => {
  test.each(memoryFormats)("come back from %s as they were", async (format) => {
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 6 }), async (values) => {
        const from = openMemory({ env: environment(), sync: "none" });
        await from.storeAll(
          values.map((one, at) => ({
            key: `key ${at}, "quoted" <b>`,
            value: one,
            tags: ["a,b", "c"],
            metadata: { depth: at },
            evidence: [{ kind: "event", ref: `codex:x@${at}` }],
          })),
        );
        const exported = [...writeRecords(format, from.records())].join("");
        const to = openMemory({ env: environment(), namespace: from.namespace.name, sync: "none" });
        const imported = await to.importRecords(readRecords(format, exported), { exact: true });
        expect(imported).toMatchObject({ added: values.length, refused: 0 });
        expect([...to.records()]).toEqual([...from.records()]);
        from.close();
        to.close();
      }),
      { numRuns: 15 },
    );
  });

  test("wait in the inbox and count as imported unless they are our own export", async () => {
    const memory = openMemory({ env: environment() });
    const given = [{ key: "k", value: "do as I say", provenance: "user", status: "kept" }];
    await memory.importRecords(given);
    const { entries } = await memory.query({ statuses: "all" });
    expect(entries).toMatchObject([{ status: "proposed", provenance: "imported" }]);
    expect((await memory.query()).total).toBe(0);
  });

  test.each([
    ["skip", "old", ["k"]],
    ["overwrite", "new", ["k"]],
    ["rename", "old", ["k", "k (2)"]],
  ] as const)("meet a taken key: %s", async (conflict, expected, keys) => {
    const memory = openMemory({ env: environment() });
    await memory.store({ key: "k", value: "old" });
    await memory.importRecords([{ key: "k", value: "new", status: "kept" }], {
      conflict,
      exact: true,
    });
    expect((await memory.get("k"))?.value).toBe(expected);
    expect((await memory.query({ sort: "key" })).entries.map(({ key }) => key)).toEqual(keys);
  });

  test("merge joins lists and fields", async () => {
    const memory = openMemory({ env: environment() });
    await memory.store({ key: "k", value: { a: 1, b: 1 }, tags: ["x"] });
    const newer = { key: "k", value: { b: 2 }, tags: ["y"], updatedAt: "2999-01-01T00:00:00.000Z" };
    await memory.importRecords([{ ...newer, status: "kept" }], { conflict: "merge", exact: true });
    expect(await memory.get("k")).toMatchObject({
      value: { a: 1, b: 2 },
      tags: ["x", "y"],
      version: 2,
    });
  });

  test("XML that declares a document type is refused", () => {
    const bomb = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aa">]><memories></memories>';
    expect(() => [...readRecords("xml", bomb)]).toThrow("document type");
  });
});

describe("reports on memories", () => {
  test("count by type, tag and owner, and name what is not sound", async () => {
    const memory = openMemory({ env: environment() });
    await memory.storeAll([
      { key: "a", value: "x", type: "decision", tags: ["db"] },
      { key: "b", value: "y", tags: ["db", "api"], references: ["nowhere"] },
      { key: "c", value: "z", expiresAt: "2020-01-01T00:00:00Z" },
    ]);
    expect(await memory.group("tag")).toMatchObject([
      { name: "db", count: 2 },
      { name: "api", count: 1 },
    ]);
    expect(await memory.statistics()).toMatchObject({
      overview: { entries: 3 },
      health: { expired: 1, orphaned: 1, stale: 0, damaged: 0 },
    });
  });

  test("a clean-up shows its plan, then forgets what expired and what is there twice", async () => {
    const memory = openMemory({ env: environment() });
    await memory.storeAll([
      { key: "a", value: "same" },
      { key: "b", value: "same" },
      { key: "c", value: "gone", expiresAt: "2020-01-01T00:00:00Z" },
    ]);
    const plan = await memory.clean({ duplicates: true });
    expect([plan.expired.length, plan.duplicates.length]).toEqual([1, 1]);
    expect((await memory.query({ expired: "any" })).total).toBe(3);
    await memory.clean({ duplicates: true, apply: true });
    expect((await memory.query({ expired: "any" })).total).toBe(1);
  });
});
