import type { Agent } from "../contract.ts";
import { wholeFile } from "../whole-file.ts";
import { head, opening } from "./head.ts";
import { locate } from "./locate.ts";
import { resume } from "./resume.ts";
import { roots } from "./roots.ts";
import { tools } from "./tools.ts";

/** The sessions of pi (pi-coding-agent). */
export const pi: Agent = {
  name: "pi",
  title: "pi",
  program: "pi",
  revision: 3,
  capabilities: {
    thinking: true,
    images: true,
    tree: true,
    compaction: true,
    subagents: false,
    titles: true,
    needsSqlite: false,
    versionsProven: ["0.73.1"],
  },
  roots,
  asksProjects: true,
  locate,
  head,
  opening,
  headStamp: () => "",
  async *read(ref, options) {
    const { read } = await import("./read.ts");
    yield* read(ref, options);
  },
  text: { of: ({ path }) => [path] },
  tools,
  losses: ["noThinking", "imageKind", "attachedFile", "spokenImage", "foreignBlock"],
  writer: async () => (await import("./write.ts")).writer,
  belongings: wholeFile,
  sample: async (place) => (await import("./sample.ts")).sample(place),
  usage: async () => (await import("./usage.ts")).usage,
  resume,
};
