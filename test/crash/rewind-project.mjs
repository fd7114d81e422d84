// A project's folder beside a store, for processes that are killed.
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { WorkingTree } from "../../dist/rooms/snapshot/working-tree.js";
import { homeAt } from "../../dist/rooms/store/home.js";

/** Opens the project of a root folder; it is made if missing. */
export function openProject(root) {
  const folder = join(root, "user", "work");
  mkdirSync(folder, { recursive: true });
  const home = homeAt(join(root, "store"));
  const userHome = join(root, "user");
  const env = {
    variables: { REPRISE_HOME: home.root },
    platform: process.platform,
    home: userHome,
    cwd: folder,
  };
  return { folder, home, env, tree: WorkingTree.open(folder, { home, userHome }) };
}

/** Everything below a folder, as text by path. */
export function stateOf(folder, prefix = "") {
  const state = {};
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    const at = `${prefix}${name}`;
    const stat = lstatSync(path);
    const mode = (stat.mode & 0o7777).toString(8);
    if (stat.isSymbolicLink()) state[at] = `link ${readlinkSync(path)}`;
    else if (stat.isDirectory())
      Object.assign(state, { [at]: `folder ${mode}` }, stateOf(path, `${at}/`));
    else state[at] = `file ${mode} ${readFileSync(path, "latin1")}`;
  }
  return state;
}
