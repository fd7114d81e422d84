import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { Connection } from "../../src/sqlite/connection.ts";
import { isDatabaseDamage } from "../../src/sqlite/database.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

/* What a connection promises, whichever engine this Node has. */

function newPath(): string {
  return join(temporaryFolder(), "a.db");
}

function withTable(columns: string): Connection {
  const connection = new Connection(newPath());
  connection.exec(`create table t (${columns})`);
  return connection;
}

function failureOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("It did not fail.");
}

test("whole numbers are integers, also in a column without a type and in one for texts", () => {
  const connection = withTable("a, b text, c real");
  const insert = connection.prepare("insert into t values (?, ?, ?)");
  for (const value of [8, 0, -1, 2 ** 40, Number.MAX_SAFE_INTEGER]) insert.run(value, value, value);
  const rows = connection.prepare("select typeof(a) as kind, a, b from t order by rowid").all();
  expect(rows).toEqual(
    [8, 0, -1, 2 ** 40, Number.MAX_SAFE_INTEGER].map((value) => ({
      kind: "integer",
      a: value,
      b: String(value),
    })),
  );
  expect(connection.prepare("select ? || '' as text").get(8)).toEqual({ text: "8" });
});

test("fractions stay fractions, and what no number can say is nothing", () => {
  const connection = withTable("a");
  const select = connection.prepare("select ? as value");
  expect(select.get(1.5)).toEqual({ value: 1.5 });
  expect(select.get(1e300)).toEqual({ value: 1e300 });
  expect(select.get(Number.NaN)).toEqual({ value: null });
});

test("an integer that a number cannot hold is refused, or read exactly as a bigint", () => {
  const connection = withTable("a");
  connection.prepare("insert into t values (?)").run(2n ** 53n + 1n);
  const plain = connection.prepare("select a from t");
  for (const read of [() => plain.get(), () => plain.all(), () => [...plain.iterate()]])
    expect(read).toThrow("too large");
  const exact = connection.prepare("select a, 1 as one, 0.5 as half from t").readBigInts();
  expect(exact.get()).toEqual({ a: 2n ** 53n + 1n, one: 1n, half: 0.5 });
});

test("bytes come back as they were given, as an array of their own", () => {
  const connection = withTable("a");
  const select = connection.prepare("select ? as bytes, typeof(?) as kind");
  for (const bytes of [
    new Uint8Array([1, 2, 3]),
    Buffer.from([1, 2, 3]),
    new Uint8Array([0, 1, 2, 3, 4]).subarray(1, 4),
    new Uint8Array(0),
  ]) {
    const row = select.get(bytes, bytes) as { readonly bytes: Uint8Array; readonly kind: string };
    expect(row.kind).toBe("blob");
    expect(Object.getPrototypeOf(row.bytes)).toBe(Uint8Array.prototype);
    expect([...row.bytes]).toEqual([...bytes]);
  }
});

test("texts come back as they were given, and bytes can become one", () => {
  const connection = withTable("a");
  const select = connection.prepare("select ? as text");
  for (const text of ["", "ü ß 漢 😀", "x".repeat(100_000)])
    expect(select.get(text)).toEqual({ text });
  const cast = connection.prepare("select cast(? as text) as text");
  expect(cast.get(Buffer.from("ü"))).toEqual({ text: "ü" });
});

test("a value that is missing is null, and one too many is refused", () => {
  const connection = withTable("a, b");
  connection.prepare("insert into t values (?, ?)").run(1);
  expect(connection.prepare("select a, b from t").get()).toEqual({ a: 1, b: null });
  expect(() => connection.prepare("select ?").get(1, 2)).toThrow();
});

test("a statement tells how many rows it changed, and what it found", () => {
  const connection = withTable("a unique");
  const insert = connection.prepare("insert or ignore into t values (?)");
  expect([1, 2, 2].map((value) => insert.run(value))).toEqual([1, 1, 0]);
  expect(connection.prepare("select a from t where a = ?").get(9)).toBeUndefined();
  expect(connection.prepare("delete from t returning a").all()).toEqual([{ a: 1 }, { a: 2 }]);
});

test("an error has SQLite's own number", () => {
  const connection = withTable("a unique");
  connection.exec("insert into t values (1)");
  const insert = connection.prepare("insert into t values (?)");
  expect(failureOf(() => insert.run(1))).toMatchObject({ errcode: 2067 });
  expect(failureOf(() => connection.exec("insert into t values (1)"))).toMatchObject({
    errcode: 2067,
  });
  expect(failureOf(() => connection.prepare("select x from nowhere"))).toMatchObject({
    code: "ERR_SQLITE_ERROR",
    errcode: 1,
    message: "no such table: nowhere",
  });
  // A statement that failed is good for another try.
  expect(insert.run(2)).toBe(1);
});

test("a name in double quotes is never a text", () => {
  expect(() => withTable("a").prepare('select "no such column" from t')).toThrow(/no such column/);
});

test("foreign keys are kept", () => {
  const connection = withTable("a primary key, b references t (a)");
  expect(failureOf(() => connection.exec("insert into t values (1, 2)"))).toMatchObject({
    errcode: 787,
  });
});

test("rows that were left half way hold nothing up", () => {
  const connection = withTable("a");
  connection.exec("insert into t values (1), (2), (3)");
  const rows = connection.prepare("select a from t");
  for (const row of rows.iterate()) {
    expect(row).toEqual({ a: 1 });
    break;
  }
  expect(rows.all()).toHaveLength(3);
  connection.exec("begin; delete from t; commit; drop table t");
});

test("whoever only reads makes no file and changes none", () => {
  const path = newPath();
  expect(failureOf(() => new Connection(path, { readOnly: true }))).toMatchObject({ errcode: 14 });
  expect(existsSync(path)).toBe(false);
  const owner = new Connection(path);
  owner.exec("create table t (a)");
  owner.close();
  const reader = new Connection(path, { readOnly: true });
  expect(failureOf(() => reader.exec("insert into t values (1)"))).toMatchObject({ errcode: 8 });
  reader.close();
});

test("an address with options is opened as it says", () => {
  const path = newPath();
  const owner = new Connection(path);
  owner.exec("create table t (a); insert into t values (1)");
  const { href } = pathToFileURL(path);
  expect(failureOf(() => new Connection(`${href}-none?mode=rw`))).toMatchObject({ errcode: 14 });
  for (const options of ["mode=ro", "mode=ro&readonly_shm=1", "immutable=1"]) {
    const reader = new Connection(`${href}?${options}`, { readOnly: true });
    expect(reader.prepare("select a from t").get(), options).toEqual({ a: 1 });
    reader.close();
  }
  owner.close();
});

test("a database that is held is waited for as long as was said, and no longer", () => {
  const path = newPath();
  const holder = new Connection(path);
  holder.exec("begin immediate");
  const timed = (busyMs?: number): number => {
    const other = new Connection(path, busyMs === undefined ? {} : { busyMs });
    const begun = performance.now();
    expect(failureOf(() => other.exec("begin immediate"))).toMatchObject({ errcode: 5 });
    other.close();
    return performance.now() - begun;
  };
  const atOnce = timed();
  expect(timed(300)).toBeGreaterThan(Math.max(250, atOnce));
  holder.close();
});

test("what is no database is told as damage", () => {
  const path = newPath();
  writeFileSync(path, "not a database ".repeat(1000));
  const connection = new Connection(path);
  const failure = failureOf(() => connection.exec("create table t (a)"));
  expect(failure).toMatchObject({ errcode: 26 });
  expect(isDatabaseDamage(failure)).toBe(true);
});

test("closing twice is no mistake, and afterwards nothing works", () => {
  const connection = withTable("a");
  const select = connection.prepare("select a from t");
  connection.close();
  connection.close();
  expect(() => select.get()).toThrow();
  expect(() => connection.exec("select 1")).toThrow();
});

test("a log of its own is written in a file beside the database, and another connection sees it", () => {
  const path = newPath();
  const writer = new Connection(path);
  writer.exec("pragma journal_mode = wal; create table t (a); insert into t values (1)");
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
  const reader = new Connection(path, { readOnly: true });
  const count = reader.prepare("select count(*) as rows from t");
  expect(count.get()).toEqual({ rows: 1 });
  writer.exec("begin; insert into t values (2)");
  expect(count.get()).toEqual({ rows: 1 });
  writer.exec("commit");
  expect(count.get()).toEqual({ rows: 2 });
  reader.close();
  writer.close();
});

test("words can be indexed without their text, and forgotten again", () => {
  const connection = new Connection(":memory:");
  connection.exec(
    "create virtual table words using fts5 (text, content='', contentless_delete=1, tokenize='unicode61')",
  );
  const insert = connection.prepare("insert into words (rowid, text) values (?, cast(? as text))");
  insert.run(1, Buffer.from("the heron stands"));
  insert.run(2, Buffer.from("the heron flies"));
  const found = connection.prepare("select rowid, -bm25(words) > 0 as ranked from words('heron')");
  expect(found.all()).toHaveLength(2);
  connection.exec("delete from words where rowid = 1");
  expect(found.all()).toEqual([{ rowid: 2, ranked: expect.any(Number) }]);
});
