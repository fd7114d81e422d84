import type { Agent } from "../contract.ts";
import { head, opening } from "./head.ts";
import { locate } from "./locate.ts";
import { agentName } from "./record-types.ts";
import { resume } from "./resume.ts";
import { writer } from "./write.ts";

/** Reads the sessions of Claude Code. */
export const claudeCode: Agent = {
  name: agentName,
  title: "Claude Code",
  capabilities: {
    thinking: true,
    images: true,
    tree: true,
    compaction: true,
    subagents: true,
    titles: true,
    needsSqlite: false,
    safeToWriteWhileRunning: true,
    versionsProven: ["2.0.30", "2.1.325"],
  },
  locate,
  head,
  opening,
  // Loaded when it is asked for: a list never is.
  async *read(ref, options) {
    const { read } = await import("./read.ts");
    yield* read(ref, options);
  },
  writer,
  resume,
};
