import type { Agent } from "../contract.ts";
import { head } from "./head.ts";
import { bringInflater } from "./locate/inflate.ts";
import { agentName, refsAt } from "./locate.ts";
import { roots } from "./roots.ts";

/** Conversations that people took out of ChatGPT, Claude.ai or Gemini, as a file, a folder or a zip. */
const webExport: Agent = {
  name: agentName,
  title: "Web exports",
  revision: 2,
  capabilities: {
    thinking: true,
    images: false,
    tree: true,
    compaction: false,
    subagents: false,
    titles: true,
    needsSqlite: false,
    versionsProven: [],
  },
  roots,
  locate: () => [],
  at: refsAt,
  aside: true,
  head,
  headStamp: () => "",
  async *read(ref, options) {
    const { read } = await import("./read.ts");
    yield* read(ref, options);
  },
  belongings: async (ref) => (await import("./belongings.ts")).belongings(ref),
};

/** The agent, once what unpacks archives is there: its places are asked for without waiting. */
export async function loadWebExport(): Promise<Agent> {
  await bringInflater();
  return webExport;
}
