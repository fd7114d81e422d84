// Goes back and forth on a disk that is full in between, with less and less room; prints what came of it as JSON. What it
// is given is an empty folder on a small disk.
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { recordCheckpoint } from "../../../dist/rooms/snapshot/checkpoint.js";
import { restoreFiles } from "../../../dist/rooms/snapshot/restore/restore.js";
import { registerRestores } from "../../../dist/rooms/snapshot/restore/take-back.js";
import { beginChange } from "../../../dist/rooms/store/begin-change.js";
import { openProject, stateOf } from "../rewind-project.mjs";

const [root] = process.argv.slice(2);
registerRestores();
const { folder, home, env, tree } = openProject(root);
// The disk is to be full before the budget is.
mkdirSync(join(home.root, "snapshots"), { recursive: true });
writeFileSync(join(home.root, "snapshots", "settings.json"), '{"budgetBytes": 1000000000}');
const ballast = join(root, "ballast");
const results = [];

const write = (name, text) => {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
};
const checkpoint = () =>
  tree.hold(() => recordCheckpoint(home, tree.capture(), { reason: "asked" }));

for (let at = 0; at < 24; at += 1) write(`kept/${at}/file`, `${at} `.repeat(16_000));
const first = checkpoint();
const firstState = stateOf(folder);
rmSync(join(folder, "kept"), { recursive: true });
for (let at = 0; at < 24; at += 1) write(`new-${at}`, `${at} new `.repeat(10_000));
const second = checkpoint();
const secondState = stateOf(folder);

const kilobyte = 1024;
for (const freeBytes of [0, 4, 16, 64, 128, 256, 512, 768, 1024, 4096].map(
  (many) => many * kilobyte,
))
  for (const way of [
    [first, firstState],
    [second, secondState],
  ])
    await attempt(way, { freeBytes });
for (const freeFiles of [0, 10, 23, 24, 25, 30, 60]) {
  await attempt([first, firstState], { freeFiles });
  await attempt([second, secondState], { freeFiles: 600 });
}
tree.close();
process.stdout.write(`${JSON.stringify(results)}\n`);

/** Goes to a checkpoint while there is no more room than that, then settles what came of it with room again. */
async function attempt([target, wanted], room) {
  const before = stateOf(folder);
  fill(room);
  let code = "done";
  try {
    await restoreFiles(tree, { target }, { env });
  } catch (error) {
    code = error.code;
  }
  const torn = stateOf(folder);
  rmSync(ballast, { recursive: true, force: true });
  const told = [];
  const register = async () => registerRestores();
  const running = await beginChange({ env, register, tell: (said) => told.push(said) });
  running?.end();
  const outcome = (state) =>
    [wanted, before].some((one) => isDeepStrictEqual(state, one)) ? "whole" : "torn";
  results.push({ ...room, code, full: outcome(torn), settled: outcome(stateOf(folder)), told });
}

/** Leaves so much room on the disk; only on a small one. */
function fill({ freeBytes, freeFiles }) {
  const { bavail, bsize, ffree } = statfsSync(root);
  if (bavail * bsize > 64 * kilobyte ** 2) return;
  mkdirSync(ballast);
  if (freeBytes !== undefined)
    writeFileSync(join(ballast, "bytes"), Buffer.alloc(Math.max(0, bavail * bsize - freeBytes)));
  for (let left = ffree - 1; left > (freeFiles ?? Infinity); left -= 1)
    writeFileSync(join(ballast, String(left)), "");
}
