import type { Agent } from "../contract.ts";
import { wholeFile } from "../whole-file.ts";
import { head, headStamp } from "./head.ts";
import { locate } from "./locate.ts";
import { roots } from "./roots.ts";

/** claude-sessions: pages of notes in `.claude/sessions` of a project. */
export const claudeSessions: Agent = {
  name: "claude-sessions",
  title: "claude-sessions",
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
  headStamp,
  async *read(ref, options) {
    const { read } = await import("./read.ts");
    yield* read(ref, options);
  },
  text: { of: ({ path }) => [path] },
  notesWriter: async () => (await import("./write.ts")).notesWriter,
  belongings: wholeFile,
};
