import type { Agent } from "../contract.ts";
import { head } from "./head.ts";
import { agentName, locate } from "./locate.ts";
import { resume } from "./resume.ts";
import { writer } from "./write.ts";

/** OpenCode: one SQLite database since 1.2, JSON trees before. */
export const opencode: Agent = {
  name: agentName,
  title: "OpenCode",
  capabilities: {
    thinking: true,
    images: true,
    tree: false,
    compaction: true,
    subagents: true,
    titles: true,
    needsSqlite: true,
    safeToWriteWhileRunning: true,
    versionsProven: ["1.18.33"],
  },
  locate,
  head,
  // Loaded when it is asked for: a list never is.
  async *read(ref, options) {
    const { read } = await import("./read.ts");
    yield* read(ref, options);
  },
  writer,
  resume,
};
