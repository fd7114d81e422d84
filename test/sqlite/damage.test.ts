import { cpSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Damage } from "../../src/model/damage.ts";
import { type CarvedRow, carveRows } from "../../src/sqlite/carve.ts";
import { isDatabaseDamage, type ReadDatabase } from "../../src/sqlite/database.ts";
import { openForReading } from "../../src/sqlite/open.ts";
import { rebuild } from "../../src/sqlite/rebuild.ts";
import { salvageRows } from "../../src/sqlite/salvage.ts";
import { inspectWal } from "../../src/sqlite/wal.ts";
import { temporaryFolder } from "../temporary-folder.mjs";
import { fillNotes, owned, stateOf } from "./folder.ts";

const pageBytes = 4096;

function plainStore(): string {
  const path = join(temporaryFolder(), "a.db");
  const database = owned(path);
  fillNotes(database, { count: 400 });
  database.close();
  return path;
}

/** Ten transactions that are all still in the log. */
function walStore(): string {
  const source = temporaryFolder();
  const database = owned(join(source, "a.db"));
  database.exec("pragma journal_mode = wal; pragma wal_autocheckpoint = 0");
  for (let part = 0; part < 10; part += 1) fillNotes(database, { from: part * 40, count: 40 });
  const folder = temporaryFolder();
  cpSync(source, folder, { recursive: true });
  rmSync(join(folder, "a.db-shm"));
  database.close();
  return join(folder, "a.db");
}

function change(path: string, edit: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path);
  edit(bytes);
  writeFileSync(path, bytes);
}

function salvaged(database: ReadDatabase): { ids: unknown[]; damage: Damage[] } {
  const damage: Damage[] = [];
  const rows = [...salvageRows(database, { table: "note", columns: ["id"], damage })];
  return { ids: rows.map((row) => row["id"]), damage };
}

test("rows around an unreadable page come back, and the gap is told", () => {
  const path = plainStore();
  change(path, (bytes) => bytes.fill(0, 30 * pageBytes, 31 * pageBytes));
  const database = openForReading(path, { copies: temporaryFolder() });
  let failure: unknown;
  try {
    for (const _row of database.rows("select id from note not indexed"));
  } catch (error) {
    failure = error;
  }
  expect(isDatabaseDamage(failure)).toBe(true);
  const { ids, damage } = salvaged(database);
  database.close();
  expect(ids.length).toBeGreaterThan(380);
  expect(new Set(ids).size).toBe(ids.length);
  expect(damage).toHaveLength(1);
  expect(damage[0]).toMatchObject({ kind: "database", length: 400 - ids.length });
});

test("many unreadable pages cost only their own rows", () => {
  const path = plainStore();
  change(path, (bytes) => {
    for (let page = 10; page < bytes.length / pageBytes; page += 7) {
      bytes.fill(0xee, page * pageBytes, (page + 1) * pageBytes);
    }
  });
  const database = openForReading(path, { copies: temporaryFolder() });
  const { ids, damage } = salvaged(database);
  database.close();
  expect(ids.length).toBeGreaterThan(300);
  expect(damage.length).toBeGreaterThan(1);
});

test("a database that was cut is read up to the cut", () => {
  const path = plainStore();
  truncateSync(path, 20 * pageBytes + 100);
  const before = stateOf(join(path, ".."));
  const database = openForReading(path, { copies: temporaryFolder() });
  expect(database.openedAs).toBe("mended_copy");
  expect(database.damage).toHaveLength(1);
  expect(salvaged(database).ids.length).toBeGreaterThan(50);
  database.close();
  expect(stateOf(join(path, ".."))).toEqual(before);
});

test("a damaged header does not cost the database", () => {
  for (const at of [0, 5, 15, 16, 17, 18, 19, 21, 22, 23, 28, 44, 47, 56, 59]) {
    const path = plainStore();
    change(path, (bytes) => bytes.writeUInt8(bytes[at]! ^ 0xff, at));
    const database = openForReading(path, { copies: temporaryFolder() });
    expect(salvaged(database).ids, `byte ${at}`).toHaveLength(400);
    database.close();
  }
});

test("a sound log is told sound, frame by frame", () => {
  const path = walStore();
  const report = inspectWal(`${path}-wal`);
  expect(report?.brokenAt).toBeUndefined();
  expect(report?.unfinishedBytes).toBe(0);
  expect(report?.frames.every((frame) => frame.good)).toBe(true);
  expect(report?.frames.filter((frame) => frame.commitPages > 0).length).toBeGreaterThan(9);
});

test("a damaged frame in the log does not cost the transactions behind it", () => {
  const path = walStore();
  const size = readFileSync(`${path}-wal`).length;
  change(`${path}-wal`, (bytes) => bytes.fill(0xaa, size >> 2, (size >> 2) + 200));
  const before = stateOf(join(path, ".."));
  const database = openForReading(path, { copies: temporaryFolder() });
  expect(database.openedAs).toBe("mended_copy");
  expect(database.damage[0]?.detail).toMatch(/log is damaged/);
  expect(salvaged(database).ids.length).toBeGreaterThan(380);
  database.close();
  expect(stateOf(join(path, ".."))).toEqual(before);
});

test("a damaged header of the log does not cost the log", () => {
  const path = walStore();
  change(`${path}-wal`, (bytes) => bytes.fill(0, 0, 32));
  const database = openForReading(path, { copies: temporaryFolder() });
  expect(database.openedAs).toBe("mended_copy");
  expect(salvaged(database).ids).toHaveLength(400);
  database.close();
});

test("a log cut inside a transaction gives the transactions before it, and says so", () => {
  const path = walStore();
  const report = inspectWal(`${path}-wal`)!;
  const commits = report.frames.filter((frame) => frame.commitPages > 0);
  const fifth = commits[5]!;
  truncateSync(`${path}-wal`, fifth.offset + report.pageSize + 5000);
  const database = openForReading(path, { copies: temporaryFolder() });
  expect(database.openedAs).toBe("copy");
  expect(database.damage).toMatchObject([{ kind: "torn_tail", length: 5000 }]);
  expect(salvaged(database).ids.length % 40).toBe(0);
  expect(salvaged(database).ids.length).toBeGreaterThan(100);
  database.close();
});

const tables = [
  {
    name: "note",
    columns: ["id", "text"],
    newest: "text",
    indexes: ["text"],
    accepts: (row: CarvedRow) => row.length === 2 && String(row[0]).startsWith("n"),
  },
];

test("rows are found on their pages where schema and trees are gone", () => {
  const path = plainStore();
  const root = readFileSync(path).readUInt32BE(28);
  // The first pages hold the schema and the roots of the trees.
  change(path, (bytes) => bytes.fill(0xee, 100, 3 * pageBytes));
  const before = stateOf(join(path, ".."));
  const copies = temporaryFolder();
  expect(() => openForReading(path, { copies })).toThrow(/cannot be read/);
  const database = openForReading(rebuild(path, { copies, tables }), { copies });
  const { ids } = salvaged(database);
  database.close();
  expect(root).toBeGreaterThan(30);
  expect(ids.length).toBeGreaterThan(390);
  expect(stateOf(join(path, ".."))).toEqual(before);
});

test("carving gives every row with its values, also those that fill many pages", () => {
  const path = join(temporaryFolder(), "a.db");
  const database = owned(path);
  const long = "0123456789".repeat(5000);
  database.exec(`create table t (a, b, c, d, e);
    insert into t values (null, 1.5, 'text', x'00ff', 0), (1, -1, 70000, -2147483649, 1099511627776),
      ('${long}', '', 1, 127, -128);`);
  database.close();
  const rows = [...carveRows(path)].filter((row) => row.length === 5 && row[0] !== "table");
  expect(rows).toEqual([
    [null, 1.5, "text", new Uint8Array([0, 255]), 0],
    [1, -1, 70000, -2147483649, 1099511627776],
    [long, "", 1, 127, -128],
  ]);
});

/** A database of small pages: one leaf whose cells all point at one row, and a page that row goes on in. */
function lyingStore(row: { readonly length: number; readonly pages: number }): string {
  const size = 512;
  const bytes = Buffer.alloc(size * (2 + row.pages));
  bytes.write("SQLite format 3\0", 0, "latin1");
  bytes.writeUInt16BE(size, 16);
  const leaf = bytes.subarray(size, 2 * size);
  const cells = 190;
  const cell = 8 + cells * 2;
  leaf[0] = 0x0d;
  leaf.writeUInt16BE(cells, 3);
  for (let index = 0; index < cells; index += 1) leaf.writeUInt16BE(cell, 8 + index * 2);
  const number = (value: number): number[] =>
    [28, 21, 14, 7, 0].map((bits) => ((value >>> bits) & 0x7f) | (bits === 0 ? 0 : 0x80));
  // The row's length, its id, its header, and one text as long as all the rest.
  leaf.set([...number(row.length), 1, 6, ...number((row.length - 6) * 2 + 13)], cell);
  const least = 39;
  const fitting = least + ((row.length - least) % (size - 4));
  leaf.writeUInt32BE(3, cell + 6 + (fitting <= size - 35 ? fitting : least));
  for (let page = 0; page < row.pages; page += 1) {
    const next = page + 1 < row.pages ? page + 4 : 3;
    bytes.writeUInt32BE(next, (2 + page) * size);
    bytes.fill("a", (2 + page) * size + 4, (3 + page) * size);
  }
  const path = join(temporaryFolder(), "a.db");
  writeFileSync(path, bytes);
  return path;
}

test("a row that goes on in a circle is none", () => {
  const path = lyingStore({ length: 40 + 508 * 100_000, pages: 3 });
  expect([...carveRows(path)]).toEqual([]);
});

test("cells that share a row without end give a bounded number of bytes", () => {
  const path = lyingStore({ length: 40 + 508 * 200, pages: 200 });
  const rows = [...carveRows(path)];
  expect(rows.length).toBeGreaterThan(0);
  const bytes = rows.reduce((sum, [text]) => sum + String(text).length, 0);
  expect(bytes).toBeLessThanOrEqual(16 * statSync(path).size);
});
