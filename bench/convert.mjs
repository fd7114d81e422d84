// Converting one long session, against parsing and writing every line of it again as JSON; reading it,
// against parsing every line.
import { closeSync, mkdirSync, openSync, readSync, rmSync } from "node:fs";
import { join } from "node:path";
import { loadAgents } from "../dist/rooms/agents/registry.js";
import { convert } from "../dist/rooms/convert/convert.js";
import { longSession } from "./agent-corpora.mjs";
import { environmentOf } from "./corpora.mjs";
import { atMost, inChild, interleave, memoryRow, timed } from "./measure.mjs";

const agents = await loadAgents();

const targets = {
  "claude-code": ["codex", "pi"],
  codex: ["claude-code"],
  pi: ["claude-code"],
  reprise: ["codex", "claude-code"],
};

export async function rows({ folder, quick }) {
  const megabytes = quick ? 20 : 200;
  const rounds = quick ? 3 : 5;
  const found = [];
  for (const [from, others] of Object.entries(targets)) {
    const home = join(folder, from);
    mkdirSync(home);
    const file = await longSession(from, home, megabytes * 1e6);
    const reading = await interleave(
      { ours: () => wasRead(home, from), floor: () => timed(() => eachLine(file, JSON.parse)) },
      { rounds },
    );
    found.push(atMost(`read ${megabytes} MB, ${from}: / parse each line`, reading, 1.5));
    for (const to of others) {
      const times = await interleave(
        {
          ours: () => converted(home, from, to),
          floor: () => timed(() => eachLine(file, parsedAndWritten)),
        },
        { rounds },
      );
      const peak = inChild("convert", "once", home, from, to).peakMb;
      const what = `convert ${megabytes} MB, ${from} to ${to}`;
      found.push(atMost(`${what}: / parse and stringify each line`, times, 1.5));
      found.push(memoryRow(`${what}: memory`, [peak], 200));
    }
    rmSync(home, { recursive: true });
  }
  return found;
}

/** The agent and its one long session. */
function sessionIn(home, name) {
  const agent = agents.find((one) => one.name === name);
  const refs = [...agent.locate(environmentOf(home))];
  return { agent, ref: refs.sort((a, b) => b.sizeBytes - a.sizeBytes)[0] };
}

/** Milliseconds of reading every live event. */
function wasRead(home, name) {
  const { agent, ref } = sessionIn(home, name);
  return timed(async () => {
    for await (const _batch of agent.read(ref));
  });
}

/** Milliseconds of one conversion, the whole of it; what it wrote is taken back afterwards. */
async function converted(home, from, to) {
  const env = environmentOf(home);
  const { agent: source, ref } = sessionIn(home, from);
  const target = agents.find((agent) => agent.name === to);
  // Without a model there is no window, so that nothing is summarised away.
  const { model: _model, ...head } = source.head(ref, env);
  let written;
  const ms = await timed(async () => {
    ({ written } = await convert({ source: { agent: source, ref }, head, target, env, cwd: home }));
  });
  await (await target.writer()).takeBack(written, env);
  return ms;
}

/** The least a conversion could do with a line: parse it, and make its text again. */
function parsedAndWritten(line) {
  return JSON.stringify(JSON.parse(line));
}

/** Reads every line and does something with it. */
function eachLine(file, work) {
  const fd = openSync(file, "r");
  const buffer = Buffer.allocUnsafe(1 << 20);
  let held = Buffer.alloc(0);
  for (;;) {
    const taken = readSync(fd, buffer, 0, buffer.length, null);
    if (taken === 0) break;
    held = Buffer.concat([held, buffer.subarray(0, taken)]);
    let start = 0;
    for (let end = held.indexOf(10); end >= 0; end = held.indexOf(10, start)) {
      work(held.toString("utf8", start, end));
      start = end + 1;
    }
    held = held.subarray(start);
  }
  closeSync(fd);
}

/** What is measured in processes of their own. */
export const tasks = { once: converted };
