// A session below a home, read in every way an agent offers.
import { loadAgent } from "../../../dist/rooms/agents/registry.js";

/** The time of the processor that this process took. */
export function processorMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The only session an agent has in a home. */
export async function openReader(home, name) {
  const variables = { HOME: home, REPRISE_HOME: `${home}/.reprise` };
  // Native sessions are opened by what the process is told.
  process.env.REPRISE_HOME = variables.REPRISE_HOME;
  const env = { variables, platform: "linux", home, cwd: `${home}/project` };
  const agent = await loadAgent(name);
  const [ref] = agent.locate(env);
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
    head: () => ({ problem: agent.head(ref, env)?.problem }),
    live: () => read({}),
    all: () => read({ allBranches: true }),
    last: () => read({ last: 20 }),
  };
  return { sizeBytes: ref.sizeBytes, read: (way) => kinds[way]() };
}
