import type { Agent } from "../contract.ts";
import { wholeFile } from "../whole-file.ts";
import { head } from "./head.ts";
import { agentName, locate } from "./locate.ts";
import { resume } from "./resume.ts";
import { ampRoot } from "./roots.ts";
import { tools } from "./tools.ts";

/** Amp: threads that older builds kept below `~/.local/share/amp`. */
export const amp: Agent = {
  name: agentName,
  title: "Amp",
  program: "amp",
  revision: 1,
  capabilities: {
    thinking: true,
    images: true,
    tree: false,
    compaction: true,
    subagents: false,
    titles: true,
    needsSqlite: false,
    versionsProven: ["0.0.1769314944"],
  },
  roots: (env) => [ampRoot(env)],
  locate,
  head,
  headStamp: () => "",
  async *read(ref, options) {
    const { read } = await import("./read.ts");
    yield* read(ref, options);
  },
  text: { of: ({ path }) => [path] },
  tools,
  losses: ["noThinking", "imageKind", "resultImage", "attachedFile", "spokenImage", "foreignBlock"],
  warning:
    "Amp uploads every thread that it opens to its server, all of the conversation included. Builds after March 2026 do not read threads from this machine.",
  writer: async () => (await import("./write.ts")).writer,
  belongings: wholeFile,
  resume,
};
