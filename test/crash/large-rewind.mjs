// Takes a checkpoint of 100,000 files, deletes them, brings them back, and says how long that took and in how much memory.
//
//   node test/crash/large-rewind.mjs [--files 100000]
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { recordCheckpoint } from "../../dist/rooms/snapshot/checkpoint.js";
import { restoreFiles } from "../../dist/rooms/snapshot/restore/restore.js";
import { registerRestores } from "../../dist/rooms/snapshot/restore/take-back.js";
import { undo } from "../../dist/rooms/store/undo.js";
import { temporaryFolder } from "../temporary-folder.mjs";
import { openProject, stateOf } from "./rewind-project.mjs";

const { values } = parseArgs({ options: { files: { type: "string", default: "100000" } } });
const files = Number(values.files);
registerRestores();
const root = temporaryFolder();
const { folder, home, env, tree } = openProject(root);
for (let at = 0; at < files; at += 1) {
  const path = join(folder, `a-${at % 40}`, `b-${at % 1_000}`, `${at}.txt`);
  if (at < 1_000) mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, `file ${at}\n`);
}
const before = stateOf(folder);
const target = await timed("checkpoint", () =>
  tree.hold(() => recordCheckpoint(home, tree.capture(), { reason: "asked" })),
);
rmSync(folder, { recursive: true });
mkdirSync(folder);
const { left } = await timed("rewind", () => restoreFiles(tree, { target }, { env }));
const isBack = isDeepStrictEqual(stateOf(folder), before) && left.length === 0;
await timed("undo", () => undo(home, undefined, env));
const isGone = Object.keys(stateOf(folder)).length === 0;
tree.close();
const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 1024);
process.stdout.write(`${JSON.stringify({ files, isBack, isGone, peakMegabytes })}\n`);
process.exitCode = isBack && isGone ? 0 : 1;

async function timed(name, work) {
  const beganMs = performance.now();
  const result = await work();
  process.stdout.write(`${name}: ${Math.round(performance.now() - beganMs)} ms\n`);
  return result;
}
