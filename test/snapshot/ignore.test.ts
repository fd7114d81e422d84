import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { walkTree } from "../../src/snapshot/tree-paths.ts";
import { WorkingTree } from "../../src/snapshot/working-tree.ts";
import { homeAt } from "../../src/store/home.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const cases = Number(process.env["REPRISE_IGNORE_CASES"] ?? 400);
const seed = Number(process.env["REPRISE_SEED"] ?? Date.now() % 2 ** 31);

function git(folder: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd: folder, encoding: "utf8", stdio: "pipe" });
}

function covered(folder: string, home: string): string[] {
  const tree = WorkingTree.open(folder, { home: homeAt(home), userHome: "/nowhere", sync: false });
  const { tree: name } = tree.capture();
  const files = [...walkTree(tree.store, name)].filter(({ entry }) => entry.kind === "file");
  tree.close();
  return files.map(({ path }) => path).sort();
}

const names = fc.constantFrom(
  "a",
  "b",
  "ab",
  "a.log",
  "b.txt",
  "x y",
  "é",
  "[a]",
  "a*b",
  "#h",
  "!n",
  "src",
  "Build",
);
const pieces = fc.constantFrom(
  "*",
  "**",
  "?",
  "a",
  "b",
  "ab",
  ".log",
  ".txt",
  "src",
  "/",
  "[ab]",
  "[!a]",
  "[a-c]",
  "\\*",
  "\\[",
  "[[:alpha:]]",
  " ",
  "é",
  "x y",
  "Build",
  "[]a]",
  "[^b]",
  "\\",
  "#",
  "!",
);
const line = fc
  .tuple(
    fc.constantFrom("", "", "", "!", "/", "#"),
    fc.array(pieces, { minLength: 1, maxLength: 4 }),
    fc.constantFrom("", "", "/", " ", "\r"),
  )
  .map(([start, middle, end]) => start + middle.join("") + end);
const folderPath = fc.array(names, { maxLength: 3 }).map((parts) => parts.join("/"));
const filePath = fc.tuple(folderPath, names).map(([folder, name]) => join(folder, name));

const rules = fc.array(fc.tuple(folderPath, fc.array(line, { minLength: 1, maxLength: 4 })), {
  minLength: 1,
  maxLength: 3,
});
const project = fc.record({
  files: fc.uniqueArray(filePath, { minLength: 3, maxLength: 14 }),
  rules,
});

function make(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } catch {
    // A file lies where a folder would be, or the other way round: one of them is enough.
  }
}

describe("ignore rules", () => {
  test("what is covered is what git does not ignore, whatever the patterns", () => {
    const root = join(temporaryFolder(), "project");
    mkdirSync(root);
    git(root, "init", "-q");
    const projects = fc.sample(project, { numRuns: cases, seed });
    for (const [at, { files, rules: given }] of projects.entries()) {
      for (const [folder, lines] of given)
        make(join(root, `p${at}`, folder, ".gitignore"), `${lines.join("\n")}\n`);
      for (const file of files) make(join(root, `p${at}`, file), "x");
    }
    const listed = git(root, "ls-files", "-o", "--exclude-standard", "-z").split("\0");
    const expected = listed.filter(Boolean).sort();
    const found = covered(root, join(root, "..", "home"));
    const isIn = [new Set(expected), new Set(found)] as const;
    const differs = [
      ...expected.filter((path) => !isIn[1].has(path)),
      ...found.filter((path) => !isIn[0].has(path)),
    ];
    const first = differs[0]?.split("/")[0]?.slice(1);
    const why = first === undefined ? "" : JSON.stringify(projects[Number(first)]);
    expect(differs, `seed ${seed}: ${why}`).toEqual([]);
    expect(found.length).toBeGreaterThan(cases);
  }, 60_000);
});
