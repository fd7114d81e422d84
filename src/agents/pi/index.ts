import type { Agent } from "../contract.ts";
import { head, opening } from "./head.ts";
import { locate } from "./locate.ts";
import { resume } from "./resume.ts";
import { writer } from "./write.ts";

/** The sessions of pi (pi-coding-agent). */
export const pi: Agent = {
  name: "pi",
  title: "pi",
  capabilities: {
    thinking: true,
    images: true,
    tree: true,
    compaction: true,
    subagents: false,
    titles: true,
    needsSqlite: false,
    safeToWriteWhileRunning: false,
    versionsProven: ["0.73.1"],
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
