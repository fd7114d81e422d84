import type { Agent } from "../contract.ts";
import { head, opening } from "./head.ts";
import { locate } from "./locate.ts";
import { resume } from "./resume.ts";
import { writer } from "./write.ts";

/** Gemini CLI: sessions below `~/.gemini/tmp`. */
export const geminiCli: Agent = {
  name: "gemini-cli",
  title: "Gemini CLI",
  capabilities: {
    thinking: true,
    images: true,
    tree: false,
    compaction: true,
    subagents: true,
    titles: true,
    needsSqlite: false,
    safeToWriteWhileRunning: true,
    versionsProven: ["0.15.4", "0.40.1", "0.61.0"],
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
