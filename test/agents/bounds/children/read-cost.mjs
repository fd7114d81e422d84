// Reads the session below a home in every way there is; prints what each took of the processor, and the memory.
import { loadAgent } from "../../../../dist/rooms/agents/registry.js";

const [home, name, ways, rounds = "1"] = process.argv.slice(2);
const variables = { HOME: home, REPRISE_HOME: `${home}/.reprise` };
process.env.REPRISE_HOME = variables.REPRISE_HOME;
const env = { variables, platform: "linux", home, cwd: `${home}/project` };
const agent = await loadAgent(name);
const [ref] = agent.locate(env);
if (ref === undefined) throw new Error(`no session of ${name} in ${home}`);
const before = process.resourceUsage().maxRSS;

const read = async (options) => {
  let cursor;
  let events = 0;
  let damage = 0;
  for await (const batch of agent.read(ref, options)) {
    cursor = batch.cursor;
    events += batch.events.length;
    damage += batch.damage.length;
  }
  return { cursor, events, damage };
};
let cursor;
const kinds = {
  head: () => agent.head(ref, env),
  live: () => read({}),
  all: async () => {
    const told = await read({ allBranches: true });
    cursor = told.cursor;
    return told;
  },
  last: () => read({ last: 20 }),
  "last of all": () => read({ last: 20, allBranches: true }),
  again: async () => read({ from: cursor ?? "", allBranches: true }),
};
const costs = {};
for (const way of ways === undefined || ways === "" ? Object.keys(kinds) : ways.split(",")) {
  let best = Number.POSITIVE_INFINITY;
  let told;
  for (let round = 0; round < Number(rounds); round += 1) {
    const from = process.cpuUsage();
    told = await kinds[way]();
    const { user, system } = process.cpuUsage(from);
    best = Math.min(best, (user + system) / 1000);
  }
  costs[way] = { ms: Math.round(best * 10) / 10, events: told?.events, damage: told?.damage };
}
const peak = process.resourceUsage().maxRSS;
process.stdout.write(
  `${JSON.stringify({ bytes: ref.sizeBytes, costs, peakMb: Math.round(peak / 1024), ownMb: Math.round((peak - before) / 1024) })}\n`,
);
