import type { Agent } from "../contract.ts";
import { head } from "./head.ts";
import { agentName, locate, refsAt } from "./locate.ts";
import { roots } from "./roots.ts";

/** LangGraph: threads of SQLite checkpointers, of JavaScript and of Python. */
export const langgraph: Agent = {
  name: agentName,
  title: "LangGraph",
  revision: 1,
  capabilities: {
    thinking: true,
    images: true,
    tree: true,
    compaction: false,
    subagents: true,
    titles: false,
    needsSqlite: true,
    versionsProven: ["1.4.18"],
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
  losses: ["noThinking", "resultImage", "attachedFile", "spokenImage", "foreignBlock"],
  writer: async () => (await import("./write.ts")).writer,
  belongings: async (ref) => (await import("./belongings.ts")).belongings(ref),
};
