// A session below a home, read in every way an agent offers, or put into an index.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { loadAgent, loadAgents } from "../../../dist/rooms/agents/registry.js";
import { freshen } from "../../../dist/rooms/catalog/index/freshen.js";
import { openCatalog } from "../../../dist/rooms/catalog/index/open.js";

/** The time of the processor that this process took. */
export function processorMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The first session an agent has in a home; its head stands for the heads of all. */
export async function openReader(home, name) {
  const env = environmentOf(home);
  const agent = await loadAgent(name);
  const refs = [...agent.locate(env)];
  const [ref] = refs;
  if (ref === undefined) throw new Error(`no session of ${name} in ${home}`);
  const read = async (options) => {
    let events = 0;
    let damage = 0;
    for await (const batch of agent.read(ref, options)) {
      events += batch.events.length;
      damage += batch.damage.length;
    }
    return { events, damage };
  };
  const kinds = {
    head: () => ({ problem: refs.map((each) => agent.head(each, env))[0]?.problem }),
    live: () => read({}),
    all: () => read({ allBranches: true }),
    last: () => read({ last: 20 }),
  };
  return { sizeBytes: ref.sizeBytes, read: (way) => kinds[way]() };
}

/** Makes the index of a home anew. */
export async function indexHome(home) {
  const env = environmentOf(home);
  const derived = join(home, ".reprise", "derived");
  rmSync(derived, { recursive: true, force: true });
  const catalog = openCatalog(derived);
  const options = { env, agents: loadAgents, agent: loadAgent };
  const { read, pending } = await freshen(catalog, options);
  catalog.close();
  if (read === 0 || pending.length > 0) throw new Error(`${home} was not indexed`);
}

function environmentOf(home) {
  const variables = { HOME: home, REPRISE_HOME: `${home}/.reprise` };
  // Native sessions are opened by what the process is told.
  process.env.REPRISE_HOME = variables.REPRISE_HOME;
  return { variables, platform: "linux", home, cwd: `${home}/project` };
}
