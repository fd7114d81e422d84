import type { Agent } from "../contract.ts";
import { head } from "./head.ts";
import { locate } from "./locate.ts";
import { resume } from "./resume.ts";
import { writer } from "./write.ts";

/** Aider: the runs in `.aider.chat.history.md` of a project. */
export const aider: Agent = {
  name: "aider",
  title: "Aider",
  capabilities: {
    thinking: false,
    images: false,
    tree: false,
    compaction: false,
    subagents: false,
    titles: false,
    needsSqlite: false,
    safeToWriteWhileRunning: true,
    versionsProven: ["0.86.3"],
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
