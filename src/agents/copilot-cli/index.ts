import type { Agent } from "../contract.ts";
import { nameOf } from "./head/workspace.ts";
import { head, headStamp, opening } from "./head.ts";
import { locate } from "./locate.ts";
import { isPlan } from "./plan.ts";
import { resume } from "./resume.ts";
import { copilotRoot } from "./roots.ts";
import { tools } from "./tools.ts";

/** GitHub Copilot CLI: sessions below `~/.copilot/session-state`. */
export const copilotCli: Agent = {
  name: "copilot-cli",
  title: "Copilot CLI",
  program: "copilot",
  sessionVariable: "COPILOT_AGENT_SESSION_ID",
  revision: 1,
  capabilities: {
    thinking: true,
    images: true,
    tree: false,
    compaction: true,
    subagents: true,
    titles: true,
    needsSqlite: false,
    versionsProven: ["1.0.102"],
  },
  roots: (env) => [copilotRoot(env)],
  locate,
  head,
  opening,
  headStamp,
  readsUntil: true,
  async *read(ref, options) {
    const { read } = await import("./read.ts");
    yield* read(ref, options);
  },
  text: { of: ({ path }) => [path], titleOf: (ref) => (isPlan(ref) ? undefined : nameOf(ref)) },
  tools,
  losses: ["noThinking", "imageKind", "resultImage", "attachedFile", "spokenImage", "foreignBlock"],
  writer: async () => (await import("./write.ts")).writer,
  belongings: async (ref) => (await import("./belongings.ts")).belongings(ref),
  usage: async () => (await import("./usage.ts")).usage,
  resume,
};
