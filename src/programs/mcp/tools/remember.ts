import { z } from "zod";
import { RepriseError } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { withoutSecrets } from "../../../bridge/ledger/secrets.ts";
import { accessLevels, memoryTypes, type NewMemory } from "../../../memory/entry.ts";
import { type Memory, openMemory } from "../../../memory/memory.ts";
import { userNamespace } from "../../../memory/namespace.ts";
import type { Reply } from "../answer.ts";
import { maxTokens, words } from "../fields.ts";
import { memoryLine } from "../memories.ts";
import { openSession } from "../sessions.ts";
import { type McpCall, tool } from "../tool.ts";

const input = z.object({
  key: words("A short name; the same name later means a new version", limits.memoryKeyChars),
  text: words(
    "What to remember: a command, a decision, a preference, a fact",
    limits.mcpMemoryChars,
  ),
  type: z.enum(memoryTypes).default("long-term"),
  tags: z.array(words("A tag", limits.tagChars)).max(limits.memoryTags).default([]),
  access: z
    .enum(accessLevels)
    .default("shared")
    .describe("Who may read it: you, everyone in this project, or every project"),
  everywhere: z
    .boolean()
    .default(false)
    .describe("It holds in every project, such as a preference of the user"),
  events: z
    .array(words("An event that shows it: agent:id@57"))
    .max(20)
    .default([])
    .describe("Events of sessions that prove it"),
  max_tokens: maxTokens,
});

/** `remember`: keeps something about this project, or puts it into the inbox where nothing may be written. */
export const remember = tool({
  name: "remember",
  title: "Remember",
  description:
    "Keeps a fact about this project for later sessions. Without the right to write, it waits in the user's inbox until it is approved.",
  input,
  changes: "adds",
  run: (given, call) => keep(given, call, call.write ? "kept" : "proposed"),
});

/** `propose_memory`: puts something into the inbox, for the user to approve. */
export const proposeMemory = tool({
  name: "propose_memory",
  title: "Propose a memory",
  description:
    "Puts a fact about this project into the user's inbox: it counts once it is approved.",
  input,
  changes: "adds",
  run: (given, call) => keep(given, call, "proposed"),
});

async function keep(
  given: z.infer<typeof input>,
  call: McpCall,
  status: "kept" | "proposed",
): Promise<Reply> {
  // A sealed session proves nothing here: what it says stays in it.
  for (const event of given.events) await openSession(event, call);
  const namespace = given.everywhere ? { namespace: userNamespace.name } : {};
  const memory = openMemory({ env: call.env, owner: call.owner, ...namespace });
  try {
    const wanted: NewMemory = {
      key: withoutSecrets(given.key),
      value: withoutSecrets(given.text),
      type: given.type,
      tags: given.tags.map(withoutSecrets),
      access: given.access,
      status,
      // Whatever a model passes on may come from anywhere: it is never the word of the user.
      provenance: "assistant",
      evidence: given.events.map((ref) => ({ kind: "event", ref }) as const),
    };
    if (status === "proposed") await refuseRejected(memory, wanted);
    const entry = await memory.store(wanted);
    const says =
      status === "kept"
        ? "Remembered."
        : "It waits in the inbox: the user approves it with `reprise memory inbox`.";
    return { head: [says, memoryLine(entry)] };
  } finally {
    memory.close();
  }
}

/** What the user has refused does not come back. */
async function refuseRejected(memory: Memory, { key, value }: NewMemory): Promise<void> {
  const { entries } = await memory.query({ key, owners: [memory.owner], statuses: ["rejected"] });
  if (!entries.some((entry) => entry.value === value)) return;
  throw new RepriseError(
    "conflict",
    "The user has rejected this memory; it was not proposed again.",
  );
}
