import type { Agent } from "../contract.ts";
import { head, headStamp, opening } from "./head.ts";
import { locate } from "./locate.ts";
import { resume } from "./resume.ts";
import { geminiRoot } from "./roots.ts";
import { tools } from "./tools.ts";

/** Gemini CLI: sessions below `~/.gemini/tmp`. */
export const geminiCli: Agent = {
  name: "gemini-cli",
  title: "Gemini CLI",
  program: "gemini",
  sessionVariable: "GEMINI_SESSION_ID",
  models: { names: /gemini/i, windowTokens: 1_048_576 },
  revision: 1,
  capabilities: {
    thinking: true,
    images: true,
    tree: false,
    compaction: true,
    subagents: true,
    titles: true,
    needsSqlite: false,
    versionsProven: ["0.15.4", "0.40.1", "0.61.0"],
  },
  roots: (env) => [geminiRoot(env)],
  asksProjects: true,
  locate,
  head,
  opening,
  headStamp,
  readsUntil: true,
  async *read(ref, options) {
    const { read } = await import("./read.ts");
    yield* read(ref, options);
  },
  text: { of: ({ path }) => [path] },
  tools,
  losses: ["noThinking", "imageKind", "resultImage", "attachedFile", "spokenImage", "foreignBlock"],
  writer: async () => (await import("./write.ts")).writer,
  checkpoints: async () => (await import("./checkpoints.ts")).checkpoints,
  belongings: async (ref, env) => (await import("./belongings.ts")).belongings(ref, env),
  usage: async () => (await import("./usage.ts")).usage,
  resume,
};
