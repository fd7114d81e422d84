import type { Agent } from "../contract.ts";
import { head } from "./head.ts";
import { agentName, locate, refsAt } from "./locate.ts";
import { roots } from "./roots.ts";

/** CrewAI: states of flows, outputs of the last run, checkpoints of crews, and the memory of older versions. */
export const crewai: Agent = {
  name: agentName,
  title: "CrewAI",
  revision: 1,
  capabilities: {
    thinking: false,
    images: false,
    tree: true,
    compaction: false,
    subagents: false,
    titles: false,
    needsSqlite: true,
    versionsProven: ["1.15.17"],
  },
  roots,
  asksProjects: true,
  locate,
  at: (path) => refsAt(path),
  head,
  async *read(ref, options) {
    const { read } = await import("./read.ts");
    yield* read(ref, options);
  },
  belongings: async (ref) => (await import("./belongings.ts")).belongings(ref),
};
