import type { Agent } from "../contract.ts";
import { head, headStamp, opening } from "./head.ts";
import { locate } from "./locate.ts";
import { agentName } from "./record-types.ts";
import { resume } from "./resume.ts";
import { rootOf } from "./roots.ts";
import { text } from "./text.ts";
import { tools } from "./tools.ts";

/** Reads the sessions of Claude Code. */
export const claudeCode: Agent = {
  name: agentName,
  title: "Claude Code",
  program: "claude",
  sessionVariable: "CLAUDE_CODE_SESSION_ID",
  models: { names: /claude|opus|sonnet|haiku/i, windowTokens: 200_000 },
  revision: 3,
  capabilities: {
    thinking: true,
    images: true,
    tree: true,
    compaction: true,
    subagents: true,
    titles: true,
    needsSqlite: false,
    versionsProven: ["2.0.30", "2.1.12", "2.1.37", "2.1.63", "2.1.325", "2.1.326"],
  },
  roots: (env) => [rootOf(env)],
  locate,
  head,
  opening,
  headStamp,
  async *read(ref, options) {
    const { read } = await import("./read.ts");
    yield* read(ref, options);
  },
  text,
  tools,
  losses: ["foreignThinking", "imageKind", "attachedFile", "spokenImage", "foreignBlock"],
  writer: async () => (await import("./write.ts")).writer,
  belongings: async (ref) => (await import("./belongings.ts")).belongings(ref),
  sample: async (place) => (await import("./sample.ts")).sample(place),
  checkpoints: async () => (await import("./checkpoints.ts")).checkpoints,
  usage: async () => (await import("./usage.ts")).usage,
  resume,
};
