import type { Agent } from "../contract.ts";
import { head } from "./head.ts";
import { locate } from "./locate.ts";
import { resume } from "./resume.ts";
import { roots } from "./roots.ts";

/** Aider: the runs in `.aider.chat.history.md` of a project. */
export const aider: Agent = {
  name: "aider",
  title: "Aider",
  program: "aider",
  revision: 1,
  capabilities: {
    thinking: false,
    images: false,
    tree: false,
    compaction: false,
    subagents: false,
    titles: false,
    needsSqlite: false,
    versionsProven: ["0.86.3"],
  },
  roots,
  asksProjects: true,
  locate,
  head,
  headStamp: () => "",
  async *read(ref, options) {
    const { read } = await import("./read.ts");
    yield* read(ref, options);
  },
  text: { of: ({ path }) => [path] },
  losses: ["noThinking", "imageKind", "attachedFile", "foreignBlock"],
  writer: async () => (await import("./write.ts")).writer,
  belongings: async (ref) => (await import("./belongings.ts")).belongings(ref),
  resume,
};
