// Reads shapes of an agent's sessions, or puts them into an index, at a size and at four times that; prints those that took
// too much of the processor.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { indexHome, openReader, processorMs } from "../reader.mjs";
import { shapes, writeShape } from "../shapes.mjs";

const [folder, agent, records, work, ...named] = process.argv.slice(2);
const n = Number(records);
/** What is too short to be measured counts as this. */
const leastMs = 5;
/** What grows with the bytes takes four times as long, what grows with their square sixteen times. */
const most = 9;
const works = {
  read: async (home) => {
    const reader = await openReader(home, agent.split(" ")[0]);
    return async () => {
      for (const way of ["head", "live", "all", "last"]) await reader.read(way);
    };
  },
  index: (home) => () => indexHome(home),
};

for (const shape of named.length === 0 ? Object.keys(shapes[agent]) : named) {
  const made = [n, 4 * n].map((size) => {
    const home = join(folder, `home-${size}`);
    writeShape(home, { agent, shape, n: size });
    return home;
  });
  let small = Number.POSITIVE_INFINITY;
  let large = Number.POSITIVE_INFINITY;
  // Other programs and the collector of garbage disturb: the best of a few counts.
  const isTooMuch = () => large > most * Math.max(small, leastMs);
  for (let round = 0; round === 0 || (round < 6 && isTooMuch()); round += 1) {
    small = Math.min(small, await cost(made[0]));
    large = Math.min(large, await cost(made[1]));
  }
  if (isTooMuch()) process.stdout.write(`${JSON.stringify({ shape, small, large })}\n`);
  for (const home of made) rmSync(home, { recursive: true });
}

async function cost(home) {
  const act = await works[work](home);
  const before = processorMs();
  await act();
  return processorMs() - before;
}
