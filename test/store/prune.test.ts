import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { processEnvironment } from "../../src/base/env.ts";
import { type Home, userHome } from "../../src/store/home.ts";
import { prune } from "../../src/store/prune.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import type { CreateOptions } from "../../src/store/session-options.ts";
import { undo, undoableEntries } from "../../src/store/undo.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

let folder: string;
let home: Home;
let options: CreateOptions;

beforeEach(() => {
  folder = temporaryFolder();
  const env = {
    ...processEnvironment(),
    variables: { REPRISE_HOME: join(folder, "home"), USER: "ada" },
  };
  options = { env };
  home = userHome(env);
});

const everything = { maxSessions: 0 };
const everythingWithoutCopy = { maxSessions: 0, withoutArchive: true };

/** Makes a session that says one thing; returns its file. */
async function begin(id: string, text: string): Promise<string> {
  const session = SessionManager.create(folder, undefined, { ...options, id });
  await session.appendUser(text);
  await session.close();
  return session.getSessionFile()!;
}

/** Makes a fork of a session that says one thing more; returns its file. */
async function forkOf(base: string, id: string, text: string): Promise<string> {
  const session = SessionManager.open(base, options);
  const fork = session.fork(undefined, { ...options, id });
  await fork.appendUser(text);
  await fork.close();
  await session.close();
  return fork.getSessionFile()!;
}

/** What was said in a session, its beginning included. */
async function said(id: string): Promise<string[]> {
  const session = SessionManager.open(id, options);
  const texts = session
    .buildSessionContext()
    .messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === "text" ? [block.text] : [])),
    );
  await session.close();
  return texts;
}

/** Prunes everything but one session. */
async function pruneBut(id: string, policy = everything): Promise<void> {
  const kept = SessionManager.open(id, options);
  await kept.pin();
  await kept.close();
  prune(home, policy);
  const again = SessionManager.open(id, options);
  await again.pin(false);
  await again.close();
}

describe("a fork that comes back", () => {
  test("has its beginning, which was hidden without a copy and went with it", async () => {
    await forkOf(await begin("base", "one"), "kid", "two");
    await pruneBut("kid", everythingWithoutCopy);
    const { removed } = prune(home, everything);
    expect(removed).toMatchObject([
      {
        session: "kid",
        bases: [{ session: "base", archive: join(home.archive, "base.jsonl.gz") }],
      },
    ]);
    expect(readdirSync(home.bases)).toEqual([]);
    expect((await undo(home)).did).toBe("brought 1 session back");
    expect(await said("kid")).toEqual(["one", "two"]);
    // Nobody asked for the base itself.
    expect(readdirSync(home.bases)).toEqual(["base.jsonl"]);
  });

  test("has its beginning where another fork, removed later, was the last that stood on it", async () => {
    const base = await begin("base", "one");
    await forkOf(await forkOf(base, "middle", "two"), "kid", "three");
    await forkOf(base, "other", "four");
    await pruneBut("other");
    const [first] = undoableEntries(home);
    prune(home, everything);
    expect(readdirSync(home.bases)).toEqual([]);
    await undo(home);
    expect(await said("other")).toEqual(["one", "four"]);
    await undo(home, first!.id);
    expect(await said("kid")).toEqual(["one", "two", "three"]);
    expect(await said("middle")).toEqual(["one", "two"]);
    expect(await said("base")).toEqual(["one"]);
    expect(readdirSync(home.bases)).toEqual([]);
  });

  test("finds its beginning in the archive once, however often that was removed", async () => {
    await forkOf(await begin("base", "one"), "kid", "two");
    for (let round = 0; round < 3; round += 1) {
      prune(home, everything);
      await undo(home);
      expect(await said("kid")).toEqual(["one", "two"]);
    }
    expect(readdirSync(home.archive).sort()).toEqual(["base.jsonl.gz", "kid.jsonl.gz"]);
  });

  test("takes the longest copy of its beginning, for a log only grows", async () => {
    const base = await begin("base", "one");
    prune(home, everything);
    await undo(home);
    const session = SessionManager.open("base", options);
    await session.appendUser("two");
    await session.close();
    await forkOf(base, "kid", "three");
    await pruneBut("kid", everythingWithoutCopy);
    prune(home, everything);
    expect(readdirSync(home.archive)).toHaveLength(3);
    await undo(home);
    expect(await said("kid")).toEqual(["one", "two", "three"]);
  });

  test("stays in the archive where its beginning is gone, and that is said", async () => {
    await forkOf(await begin("base", "one"), "kid", "two");
    await pruneBut("kid", everythingWithoutCopy);
    const { entry } = prune(home, everything);
    rmSync(join(home.archive, "base.jsonl.gz"));
    await expect(undo(home)).rejects.toMatchObject({
      code: "nothing_to_undo",
      message:
        "Nothing can be brought back: kid: no copy was kept of session base that it began with.",
    });
    expect(await SessionManager.listAll(options)).toEqual([]);
    expect(undoableEntries(home)[0]?.id).toBe(entry);
  });

  test("is not put on a later session that has the id of its beginning", async () => {
    await forkOf(await begin("base", "one"), "kid", "two");
    prune(home, everything);
    const stranger = await begin("base", "something else");
    await expect(undo(home)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("kid: another session is called base now"),
    });
    expect(await said("base")).toEqual(["something else"]);
    renameSync(stranger, join(folder, "elsewhere.jsonl"));
    await undo(home);
    expect(await said("kid")).toEqual(["one", "two"]);
  });
});

describe("the archive", () => {
  test("keeps every session that had an id, and each comes back by its own entry", async () => {
    await begin("chat", "the first");
    const first = prune(home, everything);
    await begin("chat", "the second");
    const second = prune(home, everything);
    expect(readdirSync(home.archive)).toHaveLength(2);
    await undo(home, first.entry);
    expect(await said("chat")).toEqual(["the first"]);
    await expect(undo(home, second.entry)).rejects.toMatchObject({ code: "conflict" });
    prune(home, everything);
    await undo(home, second.entry);
    expect(await said("chat")).toEqual(["the second"]);
    expect(readdirSync(home.archive)).toHaveLength(2);
  });
});

describe("a prune", () => {
  test("of several sessions is one entry, and one undo takes it back", async () => {
    for (const id of ["a", "b", "c"]) await begin(id, id);
    const { entry } = prune(home, everything);
    expect(undoableEntries(home)).toMatchObject([{ id: entry, kind: "prune" }]);
    expect((await undo(home)).did).toBe("brought 3 sessions back");
    for (const id of ["a", "b", "c"]) expect(await said(id)).toEqual([id]);
    expect(undoableEntries(home)).toEqual([]);
    await expect(undo(home)).rejects.toMatchObject({ code: "nothing_to_undo" });
  });

  test("passes over what cannot be removed, tells why, and can be undone", async () => {
    const file = await begin("a", "first");
    await begin("z", "last");
    const line = readFileSync(file, "utf8").split("\n")[0]!;
    const refused = line.replace('"session":"a"', '"session":"../m"').replace(/,"sum".*/, "}");
    writeFileSync(join(dirname(file), "m.jsonl"), `${refused}\n`);
    const { removed, failed } = prune(home, everything);
    expect(removed.map(({ session }) => session).sort()).toEqual(["a", "z"]);
    expect(failed).toMatchObject([{ why: expect.stringContaining("is refused") }]);
    await undo(home);
    expect(await said("a")).toEqual(["first"]);
    expect(await said("z")).toEqual(["last"]);
  });

  test("removes nothing that the journal cannot have", async () => {
    const file = await begin("a", "first");
    mkdirSync(home.journal);
    const { removed, failed } = prune(home, everything);
    expect(removed).toEqual([]);
    expect(failed).toHaveLength(1);
    expect(existsSync(file)).toBe(true);
  });

  test("lets go of hidden bases only, whatever a fork says it stands on", async () => {
    const victim = await begin("victim", "keep me");
    const kid = await forkOf(await begin("base", "one"), "kid", "two");
    const path = relative(home.bases, victim).replace(/\.jsonl$/, "");
    const [first, ...rest] = readFileSync(kid, "utf8").split("\n");
    const hostile = first!
      .replace('"base":{"session":"base"', `"base":{"session":${JSON.stringify(path)}`)
      .replace(/,"sum":"[0-9a-f]*"}$/, "}");
    expect(hostile).toContain(path);
    writeFileSync(kid, [hostile, ...rest].join("\n"));
    mkdirSync(home.bases, { recursive: true });
    await pruneBut("victim");
    expect(await said("victim")).toEqual(["keep me"]);
  });
});

describe("an undo", () => {
  test("that was interrupted is finished by the next", async () => {
    const files = [await begin("a", "first"), await begin("b", "second")];
    const kept = join(folder, "kept.jsonl");
    copyFileSync(files[0]!, kept);
    prune(home, everything);
    copyFileSync(kept, files[0]!);
    expect((await undo(home)).did).toBe("brought 1 session back, 1 there already");
    expect(await said("b")).toEqual(["second"]);
    expect(undoableEntries(home)).toEqual([]);
  });

  test("that had brought all back and was not noted is noted by the next", async () => {
    const file = await begin("a", "first");
    const kept = join(folder, "kept.jsonl");
    copyFileSync(file, kept);
    prune(home, everything);
    copyFileSync(kept, file);
    expect((await undo(home)).did).toBe("brought 0 sessions back, 1 there already");
    expect(undoableEntries(home)).toEqual([]);
  });

  test("of a removal without copies says so, and is not taken for done", async () => {
    await begin("a", "first");
    prune(home, everythingWithoutCopy);
    await expect(undo(home)).rejects.toMatchObject({
      code: "nothing_to_undo",
      message: "Nothing can be brought back: a: no copy of it was kept.",
      hint: expect.stringContaining("reprise undo --list"),
    });
    expect(undoableEntries(home)).toHaveLength(1);
  });

  test("tells what stays gone beside what came back", async () => {
    await forkOf(await begin("base", "one"), "kid", "two");
    await begin("lone", "three");
    await pruneBut("kid", everythingWithoutCopy);
    expect((await undo(home)).did).toBe(
      "brought 1 session back, 1 gone for good (lone: no copy of it was kept)",
    );
    expect(await said("base")).toEqual(["one"]);
  });

  test("brings the others back where one has its name taken, and that one once it is free", async () => {
    await begin("a", "first");
    await begin("b", "second");
    prune(home, everything);
    const stranger = await begin("a", "somebody else");
    await expect(undo(home)).rejects.toMatchObject({
      code: "conflict",
      message:
        "1 session cannot come back yet (a: another session is called a now); brought 1 session back.",
    });
    expect(await said("a")).toEqual(["somebody else"]);
    expect(await said("b")).toEqual(["second"]);
    renameSync(stranger, join(folder, "elsewhere.jsonl"));
    expect((await undo(home)).did).toBe("brought 1 session back, 1 there already");
    expect(await said("a")).toEqual(["first"]);
  });
});

test("a home that is given as a relative path is an absolute one, so what is noted there holds anywhere", async () => {
  const { env } = options;
  const { root } = userHome({
    ...env!,
    cwd: folder,
    variables: { ...env!.variables, REPRISE_HOME: "home" },
  });
  expect(root).toBe(home.root);
});
