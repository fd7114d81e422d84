import type { Agent } from "../contract.ts";
import { head } from "./head.ts";
import { agentName, locate, refsAt } from "./locate.ts";
import { roots } from "./roots.ts";

/** claude-flow, also called ruflo: memory, sessions, checkpoints and swarms that 2.x and 3.x keep in a project. */
export const claudeFlow: Agent = {
  name: agentName,
  title: "claude-flow",
  program: "claude-flow",
  revision: 2,
  capabilities: {
    thinking: false,
    images: false,
    tree: false,
    compaction: false,
    subagents: false,
    titles: true,
    needsSqlite: true,
    versionsProven: ["2.7.47", "3.43.0"],
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
  notesWriter: async () => (await import("./write.ts")).notesWriter,
};
