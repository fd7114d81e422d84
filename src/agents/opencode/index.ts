import type { Agent } from "../contract.ts";
import { head } from "./head.ts";
import { agentName, locate } from "./locate.ts";
import { resume } from "./resume.ts";
import { roots } from "./roots.ts";
import { tools } from "./tools.ts";

/** OpenCode: one SQLite database since 1.2, JSON trees before. */
export const opencode: Agent = {
  name: agentName,
  title: "OpenCode",
  program: "opencode",
  revision: 1,
  capabilities: {
    thinking: true,
    images: true,
    tree: false,
    compaction: true,
    subagents: true,
    titles: true,
    needsSqlite: true,
    versionsProven: ["1.18.33"],
  },
  roots,
  locate,
  head,
  async *read(ref, options) {
    const { read } = await import("./read.ts");
    yield* read(ref, options);
  },
  tools,
  losses: ["noThinking", "imageKind", "resultImage", "attachedFile", "spokenImage", "foreignBlock"],
  writer: async () => (await import("./write.ts")).writer,
  checkpoints: async () => (await import("./checkpoints.ts")).checkpoints,
  belongings: async (ref) => (await import("./belongings.ts")).belongings(ref),
  usage: async () => (await import("./usage.ts")).usage,
  resume,
};
