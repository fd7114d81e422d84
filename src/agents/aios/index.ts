import type { Agent } from "../contract.ts";
import { wholeFile } from "../whole-file.ts";
import { head } from "./head.ts";
import { locate } from "./locate.ts";
import { roots } from "./roots.ts";

/** AIOS, called AIOX since 5.0: the state of a project's agents in `.aios` or `.aiox`. */
export const aios: Agent = {
  name: "aios",
  title: "AIOS",
  revision: 1,
  capabilities: {
    thinking: false,
    images: false,
    tree: false,
    compaction: false,
    subagents: false,
    titles: false,
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
