import type { Agent } from "../contract.ts";
import { head, opening } from "./head.ts";
import { locate } from "./locate.ts";
import { resume } from "./resume.ts";
import { writer } from "./write.ts";

/** The sessions of the OpenAI Codex CLI. */
export const codex: Agent = {
  name: "codex",
  title: "Codex CLI",
  capabilities: {
    thinking: true,
    images: true,
    tree: false,
    compaction: true,
    subagents: true,
    titles: true,
    needsSqlite: false,
    safeToWriteWhileRunning: true,
    versionsProven: ["0.105.0", "0.166.0"],
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
