import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type Environment, processEnvironment } from "../../src/base/env.ts";
import { type Checkpoint, recordCheckpoint } from "../../src/snapshot/checkpoint.ts";
import { registerRestores } from "../../src/snapshot/restore/take-back.ts";
import { WorkingTree } from "../../src/snapshot/working-tree.ts";
import { type Home, homeAt } from "../../src/store/home.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

/** A project's folder beside a store of its own. */
export interface Project {
  readonly root: string;
  readonly folder: string;
  readonly home: Home;
  readonly env: Environment;
  readonly tree: WorkingTree;
  path(name: string): string;
  write(name: string, text: string): void;
  read(name: string): string;
  checkpoint(label?: string): Checkpoint;
}

/** Makes an empty project. */
export function project(options: { readonly root?: string } = {}): Project {
  registerRestores();
  const root = options.root ?? temporaryFolder();
  const folder = join(root, "user", "work");
  mkdirSync(folder, { recursive: true });
  const home = homeAt(join(root, "store"));
  const userHome = join(root, "user");
  const tree = WorkingTree.open(folder, { home, userHome, sync: false });
  const path = (name: string): string => join(folder, name);
  return {
    root,
    folder,
    home,
    env: {
      ...processEnvironment(),
      home: userHome,
      cwd: folder,
      variables: { REPRISE_HOME: home.root },
    },
    tree,
    path,
    write: (name, text) => {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), text);
    },
    read: (name) => readFileSync(path(name), "utf8"),
    checkpoint: (label) =>
      tree.hold(() => recordCheckpoint(home, tree.capture(), { reason: "asked", label })),
  };
}

/** Everything below a folder by path: kind, mode, bytes or target. */
export function stateOf(folder: string, prefix = ""): Map<string, string> {
  const state = new Map<string, string>();
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    const at = prefix === "" ? name : `${prefix}/${name}`;
    const stat = lstatSync(path);
    const mode = (stat.mode & 0o7777).toString(8);
    if (stat.isSymbolicLink()) state.set(at, `link ${readlinkSync(path)}`);
    else if (stat.isDirectory()) {
      state.set(at, `folder ${mode}`);
      for (const [inner, said] of stateOf(path, at)) state.set(inner, said);
    } else if (stat.isFile())
      state.set(at, `file ${mode} ${readFileSync(path).toString("latin1")}`);
    else state.set(at, "special");
  }
  return state;
}
