import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Damage } from "../../src/model/damage.ts";
import { isDatabaseDamage, type ReadDatabase } from "../../src/sqlite/database.ts";
import { openForReading } from "../../src/sqlite/open.ts";
import { salvageRows } from "../../src/sqlite/salvage.ts";
import { inspectWal } from "../../src/sqlite/wal.ts";
import { fillNotes, owned, stateOf, temporaryFolder } from "./folder.ts";

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
