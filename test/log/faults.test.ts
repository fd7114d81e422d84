import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Environment } from "../../src/base/env.ts";
import { FileLog } from "../../src/store/file-log.ts";
import { FileStore } from "../../src/store/files.ts";
import { folderHome } from "../../src/store/home.ts";
import { listHeads } from "../../src/store/list.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import {
  appendNote,
  freshFolder,
  linesOf,
  notesOf,
  readAll,
  sessionWith,
  verified,
  writeLines,
} from "./damaged-session.ts";

const code = (name: string, more: object = {}) => expect.objectContaining({ code: name, ...more });

test("a folder where a session should be is said to be one", async () => {
  const folder = freshFolder();
  const file = join(folder, "s.jsonl");
  mkdirSync(file);
  await expect(readAll(file)).rejects.toMatchObject({ code: "not_a_file" });
  await expect(appendNote(file)).rejects.toMatchObject({ code: "not_a_file" });
  expect(listHeads(folderHome(folder))).toEqual([]);
});

test("a pipe where a session should be holds nobody up", async () => {
  const folder = freshFolder();
  const file = join(folder, "s.jsonl");
  expect(spawnSync("mkfifo", [file]).status).toBe(0);
  await expect(readAll(file)).rejects.toMatchObject({ code: "not_a_file" });
});

test("a session that is not there is not found, and no file is made of the question", async () => {
  const folder = freshFolder();
  await expect(appendNote(join(folder, "s.jsonl"))).rejects.toMatchObject({ code: "not_found" });
  expect(readdirSync(folder)).toEqual([]);
});

/** Runs as somebody who is not allowed everything, as root is. */
function asNobody<T>(run: () => T): T {
  if (process.geteuid?.() !== 0) return run();
  process.seteuid!(65534);
  try {
    return run();
  } finally {
    process.seteuid!(0);
  }
}

test("a file without permission to read is told, listed as such, and one without permission to write is read", async () => {
  const { folder, file } = await sessionWith(2);
  chmodSync(folder, 0o755);
  chmodSync(file, 0o000);
  const home = folderHome(folder);
  asNobody(() => {
    expect(() => FileLog.open(home, file)).toThrow(code("no_permission"));
    const problem = "The file cannot be read: permission is denied (EACCES).";
    expect(listHeads(home)).toMatchObject([{ session: "s", problem }]);
  });
  chmodSync(file, 0o444);
  asNobody(() => {
    const log = FileLog.open(home, file);
    expect(notesOf([...log.events()])).toEqual(["note 2", "note 3"]);
    expect(() => log.appendSync([{ body: { type: "note", content: "x" } }])).toThrow(
      code("no_permission"),
    );
  });
  expect(linesOf(file)).toHaveLength(3);
});

test.each([
  ["removed", (file: string) => rmSync(file)],
  [
    "replaced",
    (file: string) => {
      writeFileSync(`${file}.new`, readFileSync(file));
      renameSync(`${file}.new`, file);
    },
  ],
  ["truncated", (file: string) => truncateSync(file, 300)],
  [
    "removed while another name keeps it",
    (file: string) => {
      linkSync(file, `${file}.kept`);
      rmSync(file);
    },
  ],
])(
  "a file %s under an open writer is told as changed, and nothing is written to it",
  async (_what, change) => {
    const { file } = await sessionWith(4);
    const session = SessionManager.open(file, { sync: "none", leasePerAppend: true });
    session.appendSync({ type: "note", content: "mine" });
    change(file);
    const before = existsSync(file) ? readFileSync(file) : undefined;
    expect(() => session.appendSync({ type: "note", content: "lost" })).toThrow(
      code("changed_outside"),
    );
    await expect(session.append({ type: "note", content: "lost" })).rejects.toThrow(
      code("changed_outside"),
    );
    await session.close();
    expect(existsSync(file) ? readFileSync(file) : undefined).toEqual(before);
    if (before === undefined) return;
    expect((await appendNote(file)).type).toBe("note");
    expect(verified(file).problems).toEqual([]);
  },
);

test.each([
  "../evil",
  "a/b",
  "a\\b",
  ".hidden",
  "con",
  "NUL.txt",
  "lpt1",
  "ends.",
  "",
  "x".repeat(129),
  "a\u0000b",
])("the id %j is refused and becomes no path", (id) => {
  const folder = freshFolder();
  const inner = join(folder, "inner");
  mkdirSync(inner);
  expect(() => SessionManager.create(inner, inner, { id })).toThrow(code("bad_id"));
  expect(() => SessionManager.open(id, { dir: inner })).toThrow(
    expect.objectContaining({ code: expect.stringMatching(/bad_id|not_found|not_a_file/) }),
  );
  expect(readdirSync(inner)).toEqual([]);
  expect(readdirSync(folder)).toEqual(["inner"]);
});

test("an id that equals another but for case is refused, and an id in use is not given twice", async () => {
  const { folder } = await sessionWith(1);
  expect(() => SessionManager.create(folder, folder, { id: "S" })).toThrow(code("bad_id"));
  expect(() => SessionManager.create(folder, folder, { id: "s" })).toThrow(code("session_exists"));
});

test("no session is called like the journal, whose lease and quarantine it would share", async () => {
  const { folder } = await sessionWith(1);
  for (const id of ["journal", "Journal"]) {
    expect(() => SessionManager.create(folder, folder, { id })).toThrow(code("bad_id"));
    const start = { type: "session_start", format: 1, session: id } as const;
    await expect(new FileStore(folder).create(start)).rejects.toThrow(code("bad_id"));
  }
  expect(readdirSync(folder).sort()).toEqual([".reprise", "s.jsonl"]);
});

test("a first line that names an unsafe id or base is refused before it becomes a path", async () => {
  const { folder, file } = await sessionWith(1);
  const [first, ...rest] = linesOf(file);
  writeLines(file, [first!.replace('"session":"s"', '"session":"../../evil"'), ...rest]);
  await expect(readAll(file)).rejects.toMatchObject({ code: "bad_id" });
  const base = '"base":{"session":"../../etc","event":1,"endOffset":10,"sum":"0123456789abcdef"}';
  writeLines(file, [first!.replace('"format":1', `"format":1,${base}`), ...rest]);
  await expect(readAll(file)).rejects.toMatchObject({ code: "bad_id" });
  writeLines(file, [
    first!.replace('"format":1', '"format":1,"base":{"session":"t","event":-1}'),
    ...rest,
  ]);
  await expect(readAll(file)).rejects.toMatchObject({ code: "damaged" });
  expect(readdirSync(folder).sort()).toEqual([".reprise", "s.jsonl"]);
});

test("a linked session file is read by its path, never written to, never listed, never found by its id", async () => {
  const { file: outside } = await sessionWith(2);
  const folder = freshFolder();
  const link = join(folder, "s.jsonl");
  symlinkSync(outside, link);
  const before = readFileSync(outside);
  expect(notesOf((await readAll(link)).events)).toEqual(["note 2", "note 3"]);
  await expect(appendNote(link)).rejects.toMatchObject({
    code: "not_a_file",
    hint: expect.stringContaining("own path"),
  });
  expect(listHeads(folderHome(folder))).toEqual([]);
  expect(() => SessionManager.open("s", { dir: folder })).toThrow(code("not_found"));
  expect(() => SessionManager.create(folder, folder, { id: "s" })).toThrow(code("session_exists"));
  expect(readFileSync(outside)).toEqual(before);
});

test("a linked project folder inside the store is refused; a linked store is one store with one lease", async () => {
  const folder = freshFolder();
  const [home, elsewhere, project] = ["home", "elsewhere", "project"].map((name) =>
    join(folder, name),
  );
  for (const path of [home!, elsewhere!, project!]) mkdirSync(path);
  const env: Environment = {
    variables: { REPRISE_HOME: join(home!, ".reprise") },
    platform: process.platform,
    home: home!,
    cwd: project!,
  };
  const first = SessionManager.create(project!, undefined, { env, sync: "none" });
  first.appendSync({ type: "note", content: "one" });
  const file = first.getSessionFile()!;

  // The same store by another name: the holder of the lease is still seen.
  const other = join(folder, "other");
  symlinkSync(join(home!, ".reprise"), other);
  const twin = SessionManager.open(file.replace(join(home!, ".reprise"), other), {
    env,
    waitMs: 0,
  });
  expect(() => twin.appendSync({ type: "note", content: "two" })).toThrow(
    code("session_busy", { details: expect.objectContaining({ pid: process.pid }) }),
  );
  await first.close();
  await twin.close();

  const named = join(file, "..");
  renameSync(named, join(elsewhere!, "moved"));
  symlinkSync(join(elsewhere!, "moved"), named);
  const before = readdirSync(join(elsewhere!, "moved"));
  expect(() => SessionManager.create(project!, undefined, { env })).toThrow(code("not_a_file"));
  expect(await SessionManager.listAll({ env })).toEqual([]);
  expect(readdirSync(join(elsewhere!, "moved"))).toEqual(before);
});

test("a blob that is gone or changed costs that text: the event stays, and what is missing is told", async () => {
  const { folder, file } = await sessionWith(1);
  await appendNote(file, "b".repeat(300_000));
  await appendNote(file, "after it");
  const blobs = join(folder, ".reprise", "blobs");
  const kept = readdirSync(blobs, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(kept).toHaveLength(1);
  const blob = join(kept[0]!.parentPath, kept[0]!.name);
  appendFileSync(blob, "more");
  const changed = await readAll(file);
  expect(changed.damage).toMatchObject([{ kind: "bad_record", recovered: 1 }]);
  rmSync(blob);
  const gone = await readAll(file);
  expect(gone.damage).toMatchObject([{ kind: "missing_file", recovered: 1 }]);
  expect(notesOf(gone.events)).toEqual([
    "note 2",
    expect.stringContaining("300000 bytes are missing"),
    "after it",
  ]);
});

test("the clock may go backwards: numbers go on, the order of events is the order of the file", async () => {
  const { file } = await sessionWith(1);
  const real = Date.now;
  onTestFinished(() => {
    Date.now = real;
  });
  Date.now = () => real() - 3_600_000;
  const session = SessionManager.open(file, { sync: "none" });
  const early = session.appendSync({ type: "note", content: "an hour ago" });
  Date.now = real;
  const late = session.appendSync({ type: "note", content: "now" });
  await session.close();
  expect(early.at < late.at).toBe(true);
  const { events } = await readAll(file);
  expect(events.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  expect(events[2]!.at < events[1]!.at).toBe(true);
  expect(verified(file).problems).toEqual([]);
});
