// Snapshots of a working tree of 5,000 files and 60 MB against reading and hashing the same files, and against a git
// repository beside the project, as other tools keep their checkpoints.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  diffTrees,
  homeAt,
  recordCheckpoint,
  restoreFiles,
  WorkingTree,
} from "../dist/snapshot.js";
import { seeded } from "../test/random.mjs";
import { atLeast, atMost, figureRow, interleave, missingRow, timed } from "./measure.mjs";

const files = 5_000;
const treeBytes = 60 * 1024 * 1024;
const restored = 100;
const random = seeded(20261118);

export async function rows({ folder, quick }) {
  const rounds = quick ? 3 : 7;
  const work = join(folder, "work");
  const paths = makeTree(work);
  return [
    ...(await firstSnapshot({ folder, work, paths, rounds })),
    ...(await oneFile({ folder, work, paths, rounds: rounds * 5 })),
    ...(await restore({ folder, work, paths, rounds })),
    ...(await published({ folder, work, paths, rounds: rounds * 5 })),
    ...churn({ folder, checkpoints: 200 }),
  ];
}

/** Names and sizes as projects have them: many small files, few large ones, folders of about twenty. */
function makeTree(work) {
  const paths = [];
  let left = treeBytes;
  for (let at = 0; at < files; at += 1) {
    const path = join(`package-${at % 25}`, `module-${Math.floor(at / 25) % 10}`, `file-${at}.ts`);
    mkdirSync(join(work, path, ".."), { recursive: true });
    const even = left / (files - at);
    const bytes = at === files - 1 ? left : Math.round(even * (0.2 + 1.6 * random.fraction()));
    writeFileSync(join(work, path), text(bytes));
    left -= bytes;
    paths.push(path);
  }
  return paths;
}

/** Text that compresses as code does. */
function text(bytes) {
  const words = [
    "const ",
    "value",
    " = ",
    "await ",
    "read(",
    "path",
    ");\n",
    "return ",
    "{ ",
    "}\n",
  ];
  let made = `// ${random.below(2 ** 31)}\n`;
  while (made.length < bytes) made += random.pick(words);
  return made.slice(0, bytes);
}

function openTree(work, root) {
  return WorkingTree.open(work, { home: homeAt(root), userHome: "/nowhere", sync: false });
}

function git(work, gitDir, ...args) {
  return execFileSync("git", [`--git-dir=${gitDir}`, `--work-tree=${work}`, ...args], {
    cwd: work,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  }).trim();
}

/**
 * A new repository beside the project, with the settings that tools give theirs. None is removed before the end: ext4
 * searches past every file that was removed in the last minute when it makes one, and that would be most of what is timed.
 */
function shadow(work, gitDir) {
  mkdirSync(gitDir, { recursive: true });
  git(work, gitDir, "init", "-q");
  git(work, gitDir, "config", "gc.auto", "0");
}

function addAll(work, gitDir) {
  git(work, gitDir, "add", "-A");
  return git(work, gitDir, "write-tree");
}

async function firstSnapshot({ folder, work, paths, rounds }) {
  const root = join(folder, "first-home");
  let repositories = 0;
  const ours = () => {
    rmSync(root, { recursive: true, force: true });
    const tree = openTree(work, root);
    return timed(() => {
      tree.capture();
      tree.close();
    });
  };
  const hash = () =>
    timed(() => {
      for (const path of paths)
        createHash("sha256")
          .update(readFileSync(join(work, path)))
          .digest("hex");
    });
  const warm = await interleave(
    {
      ours,
      hash,
      git: () => {
        repositories += 1;
        const gitDir = join(folder, `first-git-${repositories}`);
        shadow(work, gitDir);
        return timed(() => addAll(work, gitDir));
      },
    },
    { rounds },
  );
  const cold = (side) => () => {
    forgetPages(work, paths);
    return side();
  };
  const what = "first snapshot / read + SHA-256";
  const isCold = forgetPages(work, paths);
  const sides = { ours: cold(ours), floor: cold(hash) };
  return [
    atMost(`${what}, files in memory`, { ours: warm.ours, floor: warm.hash }, 1.3),
    isCold
      ? atMost(`${what}, files on the disk`, await interleave(sides, { rounds }), 1.3)
      : missingRow(`${what}, files on the disk`, "there is no python3 to ask the system"),
    atLeast(
      "first snapshot: git add -A && write-tree / ours",
      { ours: warm.ours, floor: warm.git },
      4,
    ),
  ];
}

const forgetting =
  "import os,sys\nfor p in sys.stdin.read().split('\\0'):\n f=os.open(p,os.O_RDONLY); os.fdatasync(f); os.posix_fadvise(f,0,0,os.POSIX_FADV_DONTNEED); os.close(f)";

/** Asks the system to forget what it holds of files in memory, as before the first look at a project; false where it cannot. */
function forgetPages(work, paths) {
  const input = paths.map((path) => join(work, path)).join("\0");
  return spawnSync("python3", ["-c", forgetting], { input }).status === 0;
}

async function oneFile({ folder, work, paths, rounds }) {
  const [root, gitDir] = [join(folder, "one-home"), join(folder, "one-git")];
  const tree = openTree(work, root);
  let before = tree.capture();
  shadow(work, gitDir);
  addAll(work, gitDir);
  const change = () => {
    const path = random.pick(paths);
    writeFileSync(join(work, path), text(8_000));
    return path;
  };
  const known = await interleave(
    {
      ours: () => {
        const path = change();
        return timed(() => {
          before = tree.captureOnly([path], before);
        });
      },
      floor: () => {
        const path = change();
        return timed(() => {
          git(work, gitDir, "add", "--", path);
          git(work, gitDir, "write-tree");
        });
      },
    },
    { rounds },
  );
  const swept = await interleave(
    {
      ours: () => {
        change();
        return timed(() => tree.capture());
      },
      floor: () => {
        change();
        return timed(() => addAll(work, gitDir));
      },
    },
    { rounds },
  );
  tree.close();
  return [
    atLeast("one known changed file: git add + write-tree / ours", known, 20),
    atMost("sweep with one change / git add -A && write-tree", swept, 1.5),
  ];
}

async function restore({ folder, work, paths, rounds }) {
  const [root, gitDir] = [join(folder, "back-home"), join(folder, "back-git")];
  const tree = openTree(work, root);
  const target = tree.capture();
  shadow(work, gitDir);
  addAll(work, gitDir);
  const some = paths.slice(0, restored);
  const change = () => {
    for (const path of some) writeFileSync(join(work, path), text(9_000));
  };
  const times = await interleave(
    {
      ours: async () => {
        change();
        return timed(() => restoreFiles(tree, { target, paths: some }));
      },
      floor: () => {
        change();
        return timed(() => git(work, gitDir, "checkout", "--", ...some));
      },
    },
    { rounds },
  );
  tree.close();
  return [atLeast("restore 100 files: git checkout / ours", times, 3)];
}

/** What other tools say they take, in milliseconds; the lower end is beaten twice. */
const figures = { create: 50, back: 100, diff: 20 };

async function published({ folder, work, paths, rounds }) {
  const home = homeAt(join(folder, "figures-home"));
  const tree = WorkingTree.open(work, { home, userHome: "/nowhere", sync: false });
  const begun = tree.capture();
  const checkpoint = () =>
    recordCheckpoint(home, tree.capture(), { reason: "asked" }, { sync: false });
  const found = { unchanged: [], changed: [], back: [], diff: [] };
  for (let round = 0; round < rounds; round += 1) {
    found.unchanged.push(await timed(() => tree.hold(checkpoint)));
    for (let at = 0; at < 10; at += 1)
      writeFileSync(join(work, paths[(round * 10 + at) % files]), text(7_000));
    let taken;
    found.changed.push(
      await timed(() => {
        taken = tree.hold(checkpoint);
      }),
    );
    found.diff.push(await timed(() => [...diffTrees(tree.store, begun.tree, taken.tree)]));
    found.back.push(await timed(() => restoreFiles(tree, { target: begun })));
  }
  tree.close();
  const row = (what, values, most) => figureRow(what, values, { unit: "ms", most });
  return [
    row("checkpoint of an unchanged tree", found.unchanged, figures.create / 2),
    row("checkpoint with ten changed files", found.changed, figures.create / 2),
    row("roll back ten files", found.back, figures.back / 2),
    row("diff of two checkpoints", found.diff, figures.diff / 2),
  ];
}

/** A tree that changes all the time, with a checkpoint after each change: what it takes, by the bytes that differ. */
function churn({ folder, checkpoints }) {
  const work = join(folder, "churn");
  const home = homeAt(join(folder, "churn-home"));
  const seen = new Map();
  const put = (path, content) => {
    mkdirSync(join(work, path, ".."), { recursive: true });
    writeFileSync(join(work, path), content);
    seen.set(createHash("sha256").update(content).digest("hex"), Buffer.byteLength(content));
  };
  const pathOf = (at) => join(`folder-${at % 20}`, `file-${at}.ts`);
  for (let at = 0; at < 500; at += 1) put(pathOf(at), text(500 + random.below(20_000)));
  const tree = WorkingTree.open(work, { home, userHome: "/nowhere", sync: false });
  for (let round = 0; round < checkpoints; round += 1) {
    for (let at = 0; at < 5; at += 1)
      put(pathOf(random.below(520)), text(500 + random.below(20_000)));
    rmSync(join(work, pathOf(random.below(520))), { force: true });
    const about = { reason: "asked", label: `${round}` };
    tree.hold(() => recordCheckpoint(home, tree.capture(), about, { sync: false }));
  }
  tree.close();
  const unique = [...seen.values()].reduce((sum, bytes) => sum + bytes, 0);
  const ratio = bytesBelow(join(home.root, "snapshots")) / unique;
  return [
    figureRow(`${checkpoints} checkpoints of a churning tree / unique bytes`, [ratio], {
      unit: "x",
      most: 1.2,
    }),
  ];
}

function bytesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
