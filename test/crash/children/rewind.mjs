// Does one thing to a project's files; says `go` when it begins and `done` when it is over.
//
//   node rewind.mjs <root> checkpoint|rewind|undo|redo [number]
import { writeSync } from "node:fs";
import { allCheckpoints, recordCheckpoint } from "../../../dist/rooms/snapshot/checkpoint.js";
import { restoreFiles } from "../../../dist/rooms/snapshot/restore/restore.js";
import { registerRestores } from "../../../dist/rooms/snapshot/restore/take-back.js";
import { beginChange } from "../../../dist/rooms/store/begin-change.js";
import { redo } from "../../../dist/rooms/store/redo.js";
import { undo } from "../../../dist/rooms/store/undo.js";
import { openProject } from "../rewind-project.mjs";

const [root, what, number] = process.argv.slice(2);
registerRestores();
const { home, env, tree } = openProject(root);
const target = allCheckpoints(home).find((one) => one.number === Number(number));
const register = async () => registerRestores();
writeSync(1, "go\n");
const running = await beginChange({ env, register, tell: () => {} });
if (what === "checkpoint")
  tree.hold(() => recordCheckpoint(home, tree.capture(), { reason: "asked" }));
else if (what === "rewind") await restoreFiles(tree, { target }, { env });
else if (what === "undo") await undo(home, undefined, env);
else await redo(home, env);
tree.close();
running?.end();
writeSync(1, "done\n");
