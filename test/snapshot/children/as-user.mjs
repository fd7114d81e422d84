// What a user who is not root meets: a file that cannot be read, a folder that was made read-only. Prints what came of it.
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { restoreFiles } from "../../../dist/rooms/snapshot/restore/restore.js";
import { openProject } from "../../crash/rewind-project.mjs";

const { folder, tree } = openProject(process.argv[2]);
const path = (name) => join(folder, name);
mkdirSync(path("shut"));
writeFileSync(path("shut/a.txt"), "one\n");
writeFileSync(path("b.txt"), "one\n");
chmodSync(path("shut"), 0o555);
const target = tree.capture();
chmodSync(path("shut"), 0o755);
writeFileSync(path("shut/a.txt"), "two\n");
chmodSync(path("shut"), 0o555);
writeFileSync(path("b.txt"), "two\n");
chmodSync(path("b.txt"), 0);
const { left } = await restoreFiles(tree, { target });
tree.close();
chmodSync(path("b.txt"), 0o600);
const said = {
  left,
  shut: readFileSync(path("shut/a.txt"), "utf8"),
  mode: statSync(path("shut")).mode & 0o777,
  unread: readFileSync(path("b.txt"), "utf8"),
};
process.stdout.write(`${JSON.stringify(said)}\n`);
