import type { Agent } from "../contract.ts";
import { wholeFile } from "../whole-file.ts";
import { head } from "./head.ts";
import { locate } from "./locate.ts";
import { roots } from "./roots.ts";

/** Continuous-Claude: ledgers and hand-offs below `thoughts` of a project. */
export const continuousClaude: Agent = {
  name: "continuous-claude",
  title: "Continuous-Claude",
  revision: 1,
  capabilities: {
    thinking: false,
    images: false,
    tree: false,
    compaction: false,
    subagents: false,
    titles: true,
    needsSqlite: false,
    versionsProven: [],
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
  // Of a hand-off in YAML the headings are ours.
  text: { of: ({ path }) => (path.endsWith(".md") ? [path] : undefined) },
  notesWriter: async () => (await import("./write.ts")).notesWriter,
  belongings: wholeFile,
};
