import type { Agent } from "../contract.ts";
import { head, opening } from "./head.ts";
import { locate, refsAt } from "./locate.ts";
import { agentName } from "./name.ts";
import { meant } from "./part.ts";
import { resume } from "./resume.ts";
import { roots } from "./roots.ts";
import { tools } from "./tools.ts";

/** Cursor: conversations of the desktop program and the command line, what it remembers, rules and memory pages. */
export const cursor: Agent = {
  name: agentName,
  title: "Cursor",
  program: "cursor-agent",
  revision: 3,
  capabilities: {
    thinking: true,
    images: false,
    tree: false,
    compaction: false,
    subagents: true,
    titles: true,
    needsSqlite: true,
    versionsProven: [],
  },
  roots,
  asksProjects: true,
  locate,
  at: (path) => refsAt(path),
  head,
  opening,
  async *read(ref, options) {
    const { read } = await import("./read.ts");
    yield* read(ref, options);
  },
  text: {
    of: (ref) => {
      const { kind } = meant(ref);
      return kind === "transcript" || kind === "page" ? [ref.path] : undefined;
    },
  },
  tools,
  resume,
  notesWriter: async () => (await import("./write.ts")).notesWriter,
  belongings: async (ref, env) => (await import("./belongings.ts")).belongings(ref, env),
};
