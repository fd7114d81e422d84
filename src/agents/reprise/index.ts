import { userHome } from "../../store/home.ts";
import { ownAgent } from "../../store/own-agent.ts";
import type { Agent, Telling } from "../contract.ts";
import { head, opening } from "./head.ts";
import { locate } from "./locate.ts";
import { tools } from "./tools.ts";

/** What a log says of text that is not in one piece in it: blobs, sealed lines, a base, parts. */
const elsewhere: Telling = { texts: ['"blobs":', '"sealed":', '"base":{', '"type":"part"'] };

/** Our own store is just another agent. */
export const reprise: Agent = {
  name: ownAgent,
  title: "Reprise",
  revision: 1,
  capabilities: {
    thinking: true,
    images: true,
    tree: true,
    compaction: true,
    subagents: true,
    titles: true,
    needsSqlite: false,
    versionsProven: ["format 1"],
  },
  roots: (env) => [userHome(env).root],
  locate,
  head,
  opening,
  headStamp: () => "",
  seals: true,
  async *read(ref, options) {
    const { read } = await import("./read.ts");
    yield* read(ref, options);
  },
  text: { of: ({ path }) => [path], unless: elsewhere },
  tools,
  losses: ["spokenImage", "foreignBlock"],
  writer: async () => (await import("./write.ts")).writer,
  usage: async () => (await import("./usage.ts")).usage,
};
