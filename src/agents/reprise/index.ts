import type { Agent } from "../contract.ts";
import { head, opening } from "./head.ts";
import { locate } from "./locate.ts";
import { writer } from "./write.ts";

/** Our own store is just another agent. */
export const reprise: Agent = {
  name: "reprise",
  title: "Reprise",
  capabilities: {
    thinking: true,
    images: true,
    tree: true,
    compaction: true,
    subagents: true,
    titles: true,
    needsSqlite: false,
    safeToWriteWhileRunning: true,
    versionsProven: ["format 1"],
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
};
