import type { Agent } from "../contract.ts";
import { wholeFile } from "../whole-file.ts";
import { head } from "./head.ts";
import { locate } from "./locate.ts";
import { roots } from "./roots.ts";

/** SYNAPSE: what it knows of sessions, in `.synapse/sessions` of a project. */
export const synapse: Agent = {
  name: "synapse",
  title: "SYNAPSE",
  revision: 1,
  capabilities: {
    thinking: false,
    images: false,
    tree: false,
    compaction: false,
    subagents: false,
    titles: true,
    needsSqlite: false,
    versionsProven: ["4.4.6", "5.2.9"],
  },
  roots,
  asksProjects: true,
  locate,
  head,
  headStamp: () => "",
  async *read(ref, options) {
    const { read } = await import("./read.ts");
    yield* read(ref, options);
  },
  notesWriter: async () => (await import("./write.ts")).notesWriter,
  belongings: wholeFile,
};
