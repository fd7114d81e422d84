import type { Agent } from "../contract.ts";
import { head, headStamp, opening } from "./head.ts";
import { locate } from "./locate.ts";
import { resume } from "./resume.ts";
import { codexHome } from "./roots.ts";
import { text } from "./text.ts";
import { tools } from "./tools.ts";

/** The sessions of the OpenAI Codex CLI. */
export const codex: Agent = {
  name: "codex",
  title: "Codex CLI",
  program: "codex",
  models: { names: /gpt|codex|^o\d/i, windowTokens: 258_400 },
  revision: 4,
  capabilities: {
    thinking: true,
    images: true,
    tree: false,
    compaction: true,
    subagents: true,
    titles: true,
    needsSqlite: false,
    versionsProven: ["0.105.0", "0.166.0", "0.169.0"],
  },
  roots: (env) => [codexHome(env)],
  locate,
  head,
  opening,
  headStamp,
  readsUntil: true,
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
  usage: async () => (await import("./usage.ts")).usage,
  resume,
};
