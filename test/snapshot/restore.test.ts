import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { allCheckpoints } from "../../src/snapshot/checkpoint.ts";
import { previewRestore, restoreFiles } from "../../src/snapshot/restore/restore.ts";
import { redo } from "../../src/store/redo.ts";
import { undo, undoableEntries } from "../../src/store/undo.ts";
import { type Project, project, stateOf } from "./project.ts";

let here: Project;
beforeEach(() => {
  here = project();
});

const now = (): Map<string, string> => stateOf(here.folder);
const undone = () => undo(here.home, undefined, here.env);
const redone = () => redo(here.home, here.env);

function fill(): void {
  here.write("a.txt", "one\n");
  here.write("src/b.txt", "two\n");
  here.write("src/deep/c.txt", "three\n");
  mkdirSync(here.path("empty"));
  chmodSync(here.path("a.txt"), 0o755);
  symlinkSync("a.txt", here.path("link"));
  writeFileSync(here.path("caf\u00e9 \n x"), "odd\n");
}

function damage(): void {
  here.write("a.txt", "changed\n");
  chmodSync(here.path("a.txt"), 0o600);
  rmSync(here.path("src"), { recursive: true });
  here.write("src", "a file in the place of a folder\n");
  rmSync(here.path("empty"), { recursive: true });
  rmSync(here.path("link"));
  mkdirSync(here.path("link"));
  here.write("link/new.txt", "new\n");
  rmSync(here.path("caf\u00e9 \n x"));
}

describe("a restore", () => {
  test("makes a folder exactly what it was, undo brings it back, redo goes forward", async () => {
    fill();
    const before = now();
    const checkpoint = here.checkpoint("before");
    damage();
    const after = now();
    const restored = await restoreFiles(here.tree, { target: checkpoint });
    expect(restored.left).toEqual([]);
    expect(now()).toEqual(before);
    await undone();
    expect(now()).toEqual(after);
    await redone();
    expect(now()).toEqual(before);
    await undone();
    expect(now()).toEqual(after);
    await expect(undone()).rejects.toMatchObject({ code: "nothing_to_undo" });
    await redone();
    expect(now()).toEqual(before);
  });

  test("takes a safety checkpoint first, and leaves nothing temporary", async () => {
    fill();
    const checkpoint = here.checkpoint();
    damage();
    const { safety } = await restoreFiles(here.tree, { target: checkpoint });
    expect(allCheckpoints(here.home).at(-1)).toMatchObject({
      number: safety!.number,
      reason: "safety",
    });
    expect(readdirSync(join(here.home.root, "snapshots", "restoring"))).toEqual([]);
    expect(readdirSync(here.home.running)).toEqual([]);
  });

  test("does nothing, and writes nothing down, where nothing differs", async () => {
    fill();
    const checkpoint = here.checkpoint();
    const restored = await restoreFiles(here.tree, { target: checkpoint });
    expect(restored).toMatchObject({ done: 0, left: [] });
    expect(allCheckpoints(here.home)).toHaveLength(1);
    expect(undoableEntries(here.home)).toEqual([]);
  });

  test("undo keeps what was done since in other paths, and redo what was edited after the rewind", async () => {
    fill();
    const checkpoint = here.checkpoint();
    damage();
    await restoreFiles(here.tree, { target: checkpoint });
    here.write("later.txt", "later\n");
    here.write("src/later.txt", "in a folder that came back\n");
    here.write("a.txt", "edited after the rewind\n");
    const { did } = await undone();
    expect(did).toContain("src (something in it stays)");
    expect(here.read("later.txt")).toBe("later\n");
    expect(here.read("src/later.txt")).toBe("in a folder that came back\n");
    expect(here.read("a.txt")).toBe("changed\n");
    await redone();
    expect(here.read("a.txt")).toBe("edited after the rewind\n");
  });

  test("redo is over once something else was done", async () => {
    here.write("a.txt", "one\n");
    const one = here.checkpoint();
    here.write("a.txt", "two\n");
    const two = here.checkpoint();
    await restoreFiles(here.tree, { target: one });
    await undone();
    here.write("a.txt", "three\n");
    await restoreFiles(here.tree, { target: two });
    await expect(redone()).rejects.toMatchObject({ code: "nothing_to_undo" });
  });

  test("brings some paths back alone, with the folders they need", async () => {
    fill();
    const checkpoint = here.checkpoint();
    rmSync(here.path("src"), { recursive: true });
    here.write("a.txt", "changed\n");
    await restoreFiles(here.tree, { target: checkpoint, paths: ["src/deep/c.txt"] });
    expect(here.read("src/deep/c.txt")).toBe("three\n");
    expect(existsSync(here.path("src/b.txt"))).toBe(false);
    expect(here.read("a.txt")).toBe("changed\n");
  });

  test("of a checkpoint of some files alone, touches these", async () => {
    fill();
    const part = here.tree.captureOnly(["src/b.txt", "gone.txt"], undefined);
    rmSync(here.path("src"), { recursive: true });
    here.write("gone.txt", "made since\n");
    here.write("a.txt", "changed\n");
    const { left } = await restoreFiles(here.tree, { target: part });
    expect(left).toEqual([]);
    expect(here.read("src/b.txt")).toBe("two\n");
    expect(existsSync(here.path("gone.txt"))).toBe(false);
    expect(here.read("a.txt")).toBe("changed\n");
  });
});

describe("what was never captured is never deleted or overwritten", () => {
  test("what was ignored when the checkpoint was taken, though its rules are gone since", async () => {
    here.write(".gitignore", "secret\nbuild/\n");
    here.write("secret", "precious\n");
    here.write("build/out.txt", "made\n");
    const checkpoint = here.checkpoint();
    rmSync(here.path(".gitignore"));
    const { left } = await restoreFiles(here.tree, { target: checkpoint });
    expect(left.map(({ path }) => path)).toEqual(["build", "build/out.txt", "secret"]);
    expect(here.read("secret")).toBe("precious\n");
    expect(here.read("build/out.txt")).toBe("made\n");
    expect(here.read(".gitignore")).toBe("secret\nbuild/\n");
  });

  test("what today's rules ignore, though the checkpoint had no rules: revert `.gitignore`, then clean", async () => {
    here.write("a.txt", "one\n");
    const checkpoint = here.checkpoint();
    here.write(".gitignore", "data/\n");
    here.write("data/precious.db", "precious\n");
    await restoreFiles(here.tree, { target: checkpoint });
    expect(existsSync(here.path(".gitignore"))).toBe(false);
    expect(here.read("data/precious.db")).toBe("precious\n");
    await restoreFiles(here.tree, { target: checkpoint });
    await undone();
    expect(here.read("data/precious.db")).toBe("precious\n");
  });

  test("what was covered then and is ignored now comes back, its present bytes saved first", async () => {
    here.write("build/out.txt", "one\n");
    const checkpoint = here.checkpoint();
    here.write(".gitignore", "build/\n");
    here.write("build/out.txt", "two\n");
    here.write("build/new.txt", "never captured\n");
    await restoreFiles(here.tree, { target: checkpoint });
    expect(here.read("build/out.txt")).toBe("one\n");
    expect(here.read("build/new.txt")).toBe("never captured\n");
    await undone();
    expect(here.read("build/out.txt")).toBe("two\n");
  });

  test("a nested repository's own `.git` keeps its folder", async () => {
    here.write("a.txt", "one\n");
    const checkpoint = here.checkpoint();
    here.write("sub/.git/HEAD", "ref: refs/heads/main\n");
    here.write("sub/file.txt", "made since\n");
    const { left } = await restoreFiles(here.tree, { target: checkpoint });
    expect(left.map(({ path }) => path)).toEqual(["sub"]);
    expect(here.read("sub/.git/HEAD")).toBe("ref: refs/heads/main\n");
  });

  test("a file that grew too large to be saved", async () => {
    here.write("a.bin", "small\n");
    const checkpoint = here.checkpoint();
    writeFileSync(here.path("a.bin"), Buffer.alloc(21 * 1024 * 1024));
    const { left } = await restoreFiles(here.tree, { target: checkpoint });
    expect(left).toEqual([{ path: "a.bin", why: "it could not be saved first: it is too large" }]);
    expect(statSync(here.path("a.bin")).size).toBe(21 * 1024 * 1024);
  });

  test("what changes between the plan and the writing", async () => {
    fill();
    const checkpoint = here.checkpoint();
    here.write("a.txt", "changed\n");
    here.write("src/b.txt", "changed\n");
    const { left } = await restoreFiles(
      here.tree,
      { target: checkpoint },
      {
        alongside: async () => {
          here.write("a.txt", "by hand, in the last moment\n");
          return 0;
        },
      },
    );
    expect(left).toEqual([{ path: "a.txt", why: "it was changed meanwhile" }]);
    expect(here.read("a.txt")).toBe("by hand, in the last moment\n");
    expect(here.read("src/b.txt")).toBe("two\n");
  });

  test("nothing outside of the folder, where a folder is swapped for a link in the last moment", async () => {
    fill();
    const outside = join(here.root, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "b.txt"), "theirs\n");
    const checkpoint = here.checkpoint();
    here.write("src/b.txt", "changed\n");
    rmSync(here.path("src/deep"), { recursive: true });
    const { left } = await restoreFiles(
      here.tree,
      { target: checkpoint },
      {
        alongside: async () => {
          renameSync(here.path("src"), here.path("src.bak"));
          symlinkSync(outside, here.path("src"));
          return 0;
        },
      },
    );
    expect(left.map(({ path }) => path)).toEqual(["src/b.txt", "src/deep", "src/deep/c.txt"]);
    expect(stateOf(outside)).toEqual(new Map([["b.txt", "file 644 theirs\n"]]));
    expect(lstatSync(here.path("src")).isSymbolicLink()).toBe(true);
  });

  test("a preview changes nothing", () => {
    fill();
    const checkpoint = here.checkpoint();
    damage();
    const before = now();
    const { plan } = previewRestore(here.tree, { target: checkpoint });
    expect(plan.steps.length).toBeGreaterThan(5);
    expect(now()).toEqual(before);
  });
});
