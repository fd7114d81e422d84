import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { openForReading } from "../../src/sqlite/open.ts";
import { temporaryFolder } from "../temporary-folder.mjs";
import { engineModule, fillNotes, owned, stateOf } from "./folder.ts";

const pageBytes = 4096;

function countNotes(path: string, copies: string): { openedAs: string; count: unknown } {
  const database = openForReading(path, { copies });
  try {
    const row = database.first("select count(*) as count from note");
    return { openedAs: database.openedAs, count: row?.["count"] };
  } finally {
    database.close();
  }
}

/** A database in WAL mode whose owner was killed: rows in the log, nothing beside it but the log. */
function killedStore(options: { readonly keepShm: boolean }): string {
  const source = temporaryFolder();
  const database = owned(join(source, "a.db"));
  database.exec("pragma journal_mode = wal; pragma wal_autocheckpoint = 0");
  fillNotes(database, { count: 50 });
  const folder = temporaryFolder();
  cpSync(source, folder, { recursive: true });
  if (!options.keepShm) rmSync(join(folder, "a.db-shm"));
  database.close();
  return folder;
}

test("a database without a log is read as immutable and its folder stays as it was", () => {
  const folder = temporaryFolder();
  const path = join(folder, "a.db");
  const database = owned(path);
  database.exec("pragma journal_mode = wal");
  fillNotes(database, { count: 50 });
  database.close();
  const before = stateOf(folder);
  const copies = temporaryFolder();
  expect(countNotes(path, copies)).toEqual({ openedAs: "immutable", count: 50 });
  expect(stateOf(folder)).toEqual(before);
  expect(readdirSync(copies)).toEqual([]);
});

test("rows that are only in the log of a dead writer are read from a private copy", () => {
  const folder = killedStore({ keepShm: false });
  const before = stateOf(folder);
  const copies = join(temporaryFolder(), "copies");
  const database = openForReading(join(folder, "a.db"), { copies });
  expect(database.openedAs).toBe("copy");
  expect(database.first("select count(*) as count from note")).toEqual({ count: 50 });
  expect(stateOf(folder)).toEqual(before);
  expect(statSync(copies).mode & 0o777).toBe(0o700);
  const [name] = readdirSync(copies);
  expect(statSync(join(copies, name!)).mode & 0o777).toBe(0o700);
  expect(statSync(join(copies, name!, "copy.db-wal")).mode & 0o777).toBe(0o600);
  database.close();
});

test("a copy is used again until the source changes, and only the newest is kept", () => {
  const folder = killedStore({ keepShm: false });
  const path = join(folder, "a.db");
  const copies = temporaryFolder();
  countNotes(path, copies);
  const [first] = readdirSync(copies);
  countNotes(path, copies);
  expect(readdirSync(copies)).toEqual([first]);
  const other = killedStore({ keepShm: false });
  copyFileSync(join(other, "a.db-wal"), `${path}-wal`);
  countNotes(path, copies);
  expect(readdirSync(copies)).toHaveLength(1);
  expect(readdirSync(copies)).not.toEqual([first]);
});

test("what a killed writer left with its shared memory file is read in place, unchanged", () => {
  const folder = killedStore({ keepShm: true });
  const before = stateOf(folder);
  const copies = temporaryFolder();
  expect(countNotes(join(folder, "a.db"), copies)).toEqual({ openedAs: "in_place", count: 50 });
  expect(stateOf(folder)).toEqual(before);
});

const writer = `
const { DatabaseSync } = require(process.argv[2]);
const database = new DatabaseSync(process.argv[1]);
database.exec("pragma journal_mode = wal; create table note (id integer primary key, text text)");
let next = 0;
const insert = (count) => {
  for (let index = 0; index < count; index += 1) {
    database.exec("insert into note values (" + next++ + ", 'x')");
  }
  process.stdout.write(next + "\\n");
};
insert(10);
process.stdin.on("data", () => insert(10));
`;

test("while a writer holds the database open, every commit is seen and nothing is touched", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "a.db");
  const child = spawn(process.execPath, ["--no-warnings", "-e", writer, path, engineModule], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const copies = temporaryFolder();
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  for (let round = 0; round < 5; round += 1) {
    const written = Number((await lines.next()).value);
    const before = stateOf(folder);
    expect(countNotes(path, copies)).toEqual({ openedAs: "in_place", count: written });
    expect(stateOf(folder)).toEqual(before);
    child.stdin!.write("more\n");
  }
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(readdirSync(copies)).toEqual([]);
});

test("a database that changed after it was opened says so", () => {
  const folder = temporaryFolder();
  const path = join(folder, "a.db");
  const database = owned(path);
  fillNotes(database, { count: 5 });
  const reader = openForReading(path, { copies: temporaryFolder() });
  expect(reader.openedAs).toBe("immutable");
  expect(reader.isStale()).toBe(false);
  fillNotes(database, { from: 5, count: 5 });
  expect(reader.isStale()).toBe(true);
  reader.close();
  database.close();
});

test("a transaction that was never finished in a rollback journal is not seen", () => {
  const source = temporaryFolder();
  const path = join(source, "a.db");
  const database = owned(path);
  fillNotes(database, { count: 500 });
  // A tiny cache makes SQLite spill pages of the open transaction into the file.
  database.exec("pragma cache_size = 1; begin; update note set text = 'changed'");
  const folder = temporaryFolder();
  cpSync(source, folder, { recursive: true });
  database.exec("rollback");
  database.close();
  expect(existsSync(join(folder, "a.db-journal"))).toBe(true);
  const before = stateOf(folder);
  const reader = openForReading(join(folder, "a.db"), { copies: temporaryFolder() });
  const row = reader.first("select count(*) as count from note where text = 'changed'");
  expect(row).toEqual({ count: 0 });
  reader.close();
  expect(stateOf(folder)).toEqual(before);
});

/** The page of an unfinished transaction, and the end that makes it a part of one over several databases. */
function journalNaming(file: string, path: string): Buffer {
  const page = readFileSync(path).subarray(pageBytes, 2 * pageBytes);
  const header = Buffer.alloc(512);
  const magic = Buffer.from("d9d505f920a163d7", "hex");
  magic.copy(header);
  // One record, no nonce, two pages, the size of a sector and of a page.
  for (const [index, value] of [1, 0, 2, 512, pageBytes].entries()) {
    header.writeUInt32BE(value, 8 + index * 4);
  }
  const record = Buffer.alloc(4 + pageBytes + 4);
  record.writeUInt32BE(2);
  page.copy(record, 4);
  let sum = 0;
  for (let at = pageBytes - 200; at > 0; at -= 200) sum += page[at]!;
  record.writeUInt32BE(sum, 4 + pageBytes);
  const name = Buffer.from(file);
  const end = Buffer.alloc(8);
  end.writeUInt32BE(name.length);
  end.writeUInt32BE(
    name.reduce((before, byte) => before + byte, 0),
    4,
  );
  const never = Buffer.alloc(4);
  never.writeUInt32BE(2 ** 30 / pageBytes + 1);
  return Buffer.concat([header, record, never, name, end, magic]);
}

test("a journal of several databases is rolled back as long as the transaction is open, and the file it names stays", () => {
  const folder = temporaryFolder();
  const path = join(folder, "a.db");
  const database = owned(path);
  database.exec("create table note (id); insert into note values ('before')");
  const named = join(folder, "notes.txt");
  const journal = journalNaming(named, path);
  database.exec("update note set id = 'after'");
  database.close();
  const ids = (): unknown => {
    const reader = openForReading(path, { copies: temporaryFolder() });
    const row = reader.first("select id from note");
    reader.close();
    return row?.["id"];
  };
  writeFileSync(`${path}-journal`, journal);
  expect(ids()).toBe("after");
  writeFileSync(named, "anybody's words");
  expect(ids()).toBe("before");
  expect(existsSync(named)).toBe(true);
  // Behind the end that is found lies another one.
  writeFileSync(`${path}-journal`, Buffer.concat([journal, journal.subarray(-24 - named.length)]));
  expect(ids()).toBe("before");
  expect(existsSync(named)).toBe(true);
});

test("an odd path with signs of a URI is opened as the path it is", () => {
  const folder = temporaryFolder();
  const path = join(folder, "a ?mode=rw#%41 ü.db");
  const database = owned(join(folder, "plain.db"));
  fillNotes(database, { count: 3 });
  database.close();
  copyFileSync(join(folder, "plain.db"), path);
  expect(countNotes(path, temporaryFolder())).toEqual({ openedAs: "immutable", count: 3 });
});

test("columns are those of the table, and a view is not taken for one", () => {
  const folder = temporaryFolder();
  const path = join(folder, "a.db");
  const database = owned(path);
  fillNotes(database, { count: 1 });
  database.exec("create view trap as select * from note");
  database.close();
  const reader = openForReading(path, { copies: temporaryFolder() });
  expect(reader.columns("note")).toEqual(["id", "text"]);
  expect(reader.columns("trap")).toEqual([]);
  expect(reader.columns("missing")).toEqual([]);
  reader.close();
});

test("numbers that JavaScript cannot hold do not stop a read", () => {
  const folder = temporaryFolder();
  const path = join(folder, "a.db");
  const database = owned(path);
  database.exec("create table n (value); insert into n values (9007199254740993), (1)");
  database.close();
  const reader = openForReading(path, { copies: temporaryFolder() });
  expect([...reader.rows("select value from n order by rowid")]).toEqual([
    { value: 9007199254740992 },
    { value: 1 },
  ]);
  reader.close();
});

test("what is missing, a folder, or no database at all is refused with its code", () => {
  const folder = temporaryFolder();
  const text = join(folder, "text.db");
  writeFileSync(text, "not a database ".repeat(1000));
  const copies = temporaryFolder();
  expect(() => openForReading(join(folder, "none.db"), { copies })).toThrow(/no database/);
  expect(() => openForReading(folder, { copies })).toThrow(/not a regular file/);
  expect(() => openForReading(text, { copies })).toThrow(/cannot be read/);
});
