import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readScope } from "../../src/snapshot/scope.ts";
import type { Snapshot } from "../../src/snapshot/snapshot.ts";
import type { SnapshotStore } from "../../src/snapshot/snapshot-store.ts";
import { readFileAt, walkTree } from "../../src/snapshot/tree-paths.ts";
import { WorkingTree } from "../../src/snapshot/working-tree.ts";
import { homeAt } from "../../src/store/home.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const seed = Number(process.env["REPRISE_SEED"] ?? Date.now() % 2 ** 31);

interface Captured {
  readonly snapshot: Snapshot;
  readonly store: SnapshotStore;
  readonly paths: readonly string[];
  readonly skipped: Readonly<Record<string, string>>;
}

function capture(folder: string, root = temporaryFolder(), userHome = "/nowhere"): Captured {
  const tree = WorkingTree.open(folder, { home: homeAt(root), userHome, sync: false });
  try {
    const snapshot = tree.capture();
    return {
      snapshot,
      store: tree.store,
      paths: [...walkTree(tree.store, snapshot.tree)].map(({ path }) => path).sort(),
      skipped: Object.fromEntries(readScope(tree.store, snapshot.scope).facts.skipped),
    };
  } finally {
    tree.close();
  }
}

describe("a tree with odd things in it", () => {
  test("links are kept as links: loops, ways to /etc and dangling ones are not followed", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "a"));
    symlinkSync("..", join(folder, "a", "up"));
    symlinkSync("self", join(folder, "self"));
    symlinkSync("/etc", join(folder, "etc"));
    symlinkSync("nowhere", join(folder, "dangling"));
    const { paths, snapshot, store } = capture(folder);
    expect(paths).toEqual(["a", "a/up", "dangling", "etc", "self"]);
    const entries = [...walkTree(store, snapshot.tree)];
    expect(entries.find(({ path }) => path === "etc")?.entry).toEqual({
      kind: "link",
      target: "/etc",
    });
  });

  test("pipes, sockets and devices are named and waited for by nobody", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "a.txt"), "a");
    execFileSync("mkfifo", [join(folder, "pipe")]);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(folder, "socket"), resolve));
    try {
      const { paths, skipped } = capture(folder);
      expect(paths).toEqual(["a.txt"]);
      expect(skipped).toEqual({ pipe: "special", socket: "special" });
    } finally {
      server.close();
    }
  });

  test("what cannot be read is named, all else is captured", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "closed"));
    writeFileSync(join(folder, "closed", "b.txt"), "b");
    writeFileSync(join(folder, "secret.txt"), "c");
    writeFileSync(join(folder, "a.txt"), "a");
    const child = join(import.meta.dirname, "children", "capture.mjs");
    chmodSync(join(folder, "closed"), 0);
    chmodSync(join(folder, "secret.txt"), 0);
    const store = temporaryFolder();
    chmodSync(store, 0o777);
    chmodSync(folder, 0o755);
    try {
      // As root nothing is unreadable: such a test runs as nobody.
      const asNobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
      const { stdout, stderr } = spawnSync(process.execPath, [child, folder, join(store, "home")], {
        ...asNobody,
        encoding: "utf8",
      });
      expect(stderr).toBe("");
      expect(JSON.parse(stdout)).toEqual({
        paths: ["a.txt"],
        skipped: { closed: "unreadable", "secret.txt": "unreadable" },
      });
    } finally {
      chmodSync(join(folder, "closed"), 0o700);
    }
  });

  test("files that change while they are read are whole or named", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "busy.log");
    writeFileSync(path, "x".repeat(200_000));
    const writer = spawn(
      process.execPath,
      [
        "-e",
        `const fs = require("fs"); let n = 0;
         process.stdout.write("begun\\n");
         for (;;) { fs.writeFileSync(${JSON.stringify(path)}, String(n++ % 10).repeat(200_000)); }`,
      ],
      { stdio: ["ignore", "pipe", "ignore"] },
    );
    try {
      await new Promise((resolve) => writer.stdout.once("data", resolve));
      const root = temporaryFolder();
      for (let round = 0; round < 20; round += 1) {
        const { snapshot, store, skipped } = capture(folder, root);
        const bytes = readFileAt(store, snapshot.tree, "busy.log");
        if (bytes === undefined) expect(skipped).toEqual({ "busy.log": "changing" });
        else expect(new Set(bytes.toString()).size).toBeLessThanOrEqual(1);
      }
    } finally {
      writer.kill("SIGKILL");
    }
  });

  test("names with newlines, bytes that are no text, and names that differ in case alone are kept", () => {
    const folder = temporaryFolder();
    for (const name of ["a\nb", "A", "a", " ", "é", "-rf", "\u{1f600}"])
      writeFileSync(join(folder, name), name);
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xe9, 0x2e])]), "bytes");
    const { paths } = capture(folder);
    expect(paths).toHaveLength(8);
    expect(paths).toContain("a\nb");
    expect(paths).toContain("\udce9.");
  });

  test("many files are captured, and an unchanged tree is not read again", () => {
    const count = Number(process.env["REPRISE_TREE_FILES"] ?? 5_000);
    const folder = temporaryFolder();
    for (let at = 0; at < count; at += 1) {
      if (at % 500 === 0) mkdirSync(join(folder, String(at / 500)));
      writeFileSync(join(folder, String(Math.floor(at / 500)), `${at}.txt`), `${at}\n`);
    }
    const root = temporaryFolder();
    const first = capture(folder, root);
    expect(first.snapshot.files).toBe(count);
    expect(capture(folder, root).snapshot.tree).toBe(first.snapshot.tree);
  }, 600_000);
});

describe("what belongs to whom", () => {
  const git = (folder: string, ...args: readonly string[]): void => {
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      cwd: folder,
      stdio: "ignore",
    });
  };

  function repository(folder: string, name = "a.txt"): string {
    mkdirSync(folder, { recursive: true });
    git(folder, "init", "-q");
    writeFileSync(join(folder, name), `${name}\n`);
    git(folder, "add", "-A");
    git(folder, "commit", "-qm", "first");
    return folder;
  }

  test("the user's home, what holds it and / are refused", () => {
    const home = temporaryFolder();
    const root = join(home, "store");
    expect(() => capture(home, root, home)).toThrow("holds everything you have");
    expect(() => capture("/", root, home)).toThrow("holds everything you have");
    mkdirSync(join(home, "work"));
    expect(capture(join(home, "work"), root, home).paths).toEqual([]);
  });

  test("nested repositories and submodules: their files, never their .git", () => {
    const folder = repository(temporaryFolder());
    repository(join(folder, "nested"), "b.txt");
    const library = repository(join(temporaryFolder(), "library"), "c.txt");
    git(folder, "-c", "protocol.file.allow=always", "submodule", "add", "-q", library, "lib");
    expect(capture(folder).paths).toEqual([
      ".gitmodules",
      "a.txt",
      "lib",
      "lib/c.txt",
      "nested",
      "nested/b.txt",
    ]);
  });

  test("a worktree is a folder of its own, by the excludes of its repository", () => {
    const folder = repository(join(temporaryFolder(), "main"));
    writeFileSync(join(folder, ".git", "info", "exclude"), "*.log\n");
    const other = join(folder, "..", "other");
    git(folder, "worktree", "add", "-q", other);
    writeFileSync(join(other, "b.log"), "");
    writeFileSync(join(other, "b.txt"), "");
    expect(capture(other).paths).toEqual(["a.txt", "b.txt"]);
  });

  test("a folder of a monorepo: what lies in it, by the rules above it too", () => {
    const top = repository(temporaryFolder());
    writeFileSync(join(top, ".gitignore"), "dist\n/packages/one/*.log\n");
    const folder = join(top, "packages", "one");
    mkdirSync(join(folder, "dist"), { recursive: true });
    writeFileSync(join(folder, "dist", "x.js"), "");
    writeFileSync(join(folder, "a.log"), "");
    writeFileSync(join(folder, "index.js"), "");
    mkdirSync(join(top, "packages", "two"));
    writeFileSync(join(top, "packages", "two", "other.js"), "");
    expect(capture(folder).paths).toEqual(["index.js"]);
  });

  test("ignored files that are included by name are kept, also in an ignored folder", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, ".gitignore"), ".env\n*.db\nbuild\n");
    writeFileSync(join(folder, ".repriseignore"), "notes\n");
    writeFileSync(join(folder, ".repriseinclude"), ".env\nbuild/keep.txt\n");
    mkdirSync(join(folder, "build"));
    mkdirSync(join(folder, "notes"));
    for (const name of [".env", "a.db", "build/keep.txt", "build/x.o", "notes/a.md"])
      writeFileSync(join(folder, name), name);
    expect(capture(folder).paths).toEqual([
      ".env",
      ".gitignore",
      ".repriseignore",
      ".repriseinclude",
      "build",
      "build/keep.txt",
    ]);
  });

  test(`a repository's .git is the same before and after (seed ${seed})`, () => {
    const folder = repository(temporaryFolder());
    const root = temporaryFolder();
    const before = printOf(join(folder, ".git"));
    const step = fc.record({
      path: fc.constantFrom("a.txt", "b/c.txt", ".gitignore", ".gitattributes", "d"),
      text: fc.string({ maxLength: 20 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 6 }), (steps) => {
        mkdirSync(join(folder, "b"), { recursive: true });
        for (const { path, text } of steps) writeFileSync(join(folder, path), text);
        capture(folder, root);
        expect(printOf(join(folder, ".git"))).toBe(before);
      }),
      { seed, numRuns: 30 },
    );
  });
});

/** A hash of everything below a folder, times included. */
function printOf(folder: string): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    const path = join(folder, name);
    const stat = lstatSync(path);
    hash.update(`${name}\0${stat.mode}\0${stat.size}\0${stat.mtimeMs}\0`);
    if (stat.isFile()) hash.update(readFileSync(path));
    if (stat.isSymbolicLink()) hash.update(readlinkSync(path));
  }
  return hash.digest("hex");
}
