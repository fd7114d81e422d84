import type { Agent } from "../contract.ts";
import { head, opening } from "./head.ts";
import { agentName, locate } from "./locate.ts";
import { resume } from "./resume.ts";
import { qwenRoot } from "./roots.ts";
import { tools } from "./tools.ts";

/** Qwen Code: sessions below `~/.qwen/projects`. */
export const qwenCode: Agent = {
  name: agentName,
  title: "Qwen Code",
  program: "qwen",
  revision: 1,
  capabilities: {
    thinking: true,
    images: true,
    tree: false,
    compaction: true,
    subagents: true,
    titles: true,
    needsSqlite: false,
    versionsProven: ["0.24.4"],
  },
  roots: (env) => [qwenRoot(env)],
  locate,
  head,
  opening,
  headStamp: () => "",
  readsUntil: true,
  async *read(ref, options) {
    const { read } = await import("./read.ts");
    yield* read(ref, options);
  },
  text: { of: ({ path }) => [path] },
  tools,
  losses: ["noThinking", "imageKind", "resultImage", "attachedFile", "spokenImage", "foreignBlock"],
  writer: async () => (await import("./write.ts")).writer,
  belongings: async (ref) => (await import("./belongings.ts")).belongings(ref),
  usage: async () => (await import("./usage.ts")).usage,
  resume,
};
