import type { Agent } from "../contract.ts";
import { head, opening } from "./head.ts";
import { agentName, locate } from "./locate.ts";
import { roots } from "./roots.ts";

/** Cursor: conversations of the desktop program, and the rules and memory pages of projects. */
export const cursor: Agent = {
  name: agentName,
  title: "Cursor",
  revision: 1,
  capabilities: {
    thinking: true,
    images: false,
    tree: false,
    compaction: false,
    subagents: false,
    titles: true,
    needsSqlite: true,
    versionsProven: [],
  },
  roots,
  asksProjects: true,
  locate,
  head,
  opening,
  async *read(ref, options) {
    const { read } = await import("./read.ts");
    yield* read(ref, options);
  },
  notesWriter: async () => (await import("./write.ts")).notesWriter,
};
