// Converting one long session, against parsing and writing every line of it again as JSON.
import { closeSync, mkdirSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { agents } from "../dist/agents/registry.js";
import { convert } from "../dist/convert/convert.js";
import { longSession } from "./agent-corpora.mjs";
import { environmentOf } from "./corpora.mjs";
import { atMost, inChild, interleave, memoryRow, timed } from "./measure.mjs";

const pairs = [
  ["claude-code", "codex"],
  ["codex", "claude-code"],
  ["reprise", "claude-code"],
];

export async function rows({ folder, quick }) {
  const megabytes = quick ? 20 : 200;
  const found = [];
  for (const [from, to] of pairs) {
    const home = join(folder, `${from}-${to}`);
    mkdirSync(home);
    const file = await longSession(from, home, megabytes * 1e6);
    const times = await interleave(
      { ours: () => converted(home, from, to), floor: () => timed(() => parsedAndWritten(file)) },
      { rounds: quick ? 3 : 5 },
    );
    const peak = inChild("convert", "once", home, from, to).peakMb;
    const what = `convert ${megabytes} MB, ${from} to ${to}`;
    found.push(atMost(`${what}: / parse and stringify each line`, times, 1.5));
    found.push(memoryRow(`${what}: memory`, [peak], 200));
  }
  return found;
}

/** Milliseconds of one conversion, the whole of it; what it wrote is taken back afterwards. */
async function converted(home, from, to) {
  const env = environmentOf(home);
  const [source, target] = [from, to].map((name) => agents.find((agent) => agent.name === name));
  const [ref] = [...source.locate(env)].sort((a, b) => b.sizeBytes - a.sizeBytes);
  // Without a model there is no window, so that nothing is summarised away.
  const { model: _model, ...head } = source.head(ref, env);
  let written;
  const ms = await timed(async () => {
    ({ written } = await convert({ source: { agent: source, ref }, head, target, env, cwd: home }));
  });
  await target.writer.takeBack(written, env);
  return ms;
}

/** The least a conversion could do: read every line, parse it, and make its text again. */
function parsedAndWritten(file) {
  const fd = openSync(file, "r");
  const buffer = Buffer.allocUnsafe(1 << 20);
  let held = Buffer.alloc(0);
  let chars = 0;
  for (;;) {
    const taken = readSync(fd, buffer, 0, buffer.length, null);
    if (taken === 0) break;
    held = Buffer.concat([held, buffer.subarray(0, taken)]);
    let start = 0;
    for (let end = held.indexOf(10); end >= 0; end = held.indexOf(10, start)) {
      chars += JSON.stringify(JSON.parse(held.toString("utf8", start, end))).length;
      start = end + 1;
    }
    held = held.subarray(start);
  }
  closeSync(fd);
  return chars;
}

/** What is measured in processes of their own. */
export const tasks = { once: converted };
