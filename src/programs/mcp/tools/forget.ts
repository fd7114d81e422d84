import { z } from "zod";
import { limits } from "../../../base/limits.ts";
import { planWithdrawal } from "../../../bridge/install/memories/withdraw.ts";
import { openMemory } from "../../../memory/memory.ts";
import { label } from "../answer.ts";
import { maxTokens, words } from "../fields.ts";
import { needsWriting, tool } from "../tool.ts";

/** `forget`: removes one of the caller's own memories for good. */
export const forget = tool({
  name: "forget",
  title: "Forget",
  description:
    "Removes a memory of your own for good, every version of it. This cannot be undone. Needs a server that may write.",
  input: z.object({
    memory: words("The key or id of the memory", limits.memoryKeyChars),
    max_tokens: maxTokens,
  }),
  changes: "removes",
  run: async ({ memory: name }, call) => {
    if (!call.write) return needsWriting("Forgetting");
    const memory = openMemory({ env: call.env, owner: call.owner });
    try {
      const entry = await memory.get(name);
      const pages = entry === undefined ? [] : await planWithdrawal(memory, [entry]);
      // No tool changes files of a project: the user forgets it there and here at once.
      if (entry !== undefined && pages.length > 0)
        return {
          head: [
            `Nothing was forgotten: it is published in ${pages.map(({ file }) => label(file)).join(", ")}.`,
            `Ask the user to run \`reprise memory forget ${entry.id}\`, which also takes it out there.`,
          ],
          isError: true,
        };
      const { ids: forgotten, sessions } = await memory.forget([name]);
      return {
        head: [
          `Forgotten for good: ${forgotten.map((id) => label(id)).join(", ")}.`,
          ...(sessions.length > 0
            ? [
                `These sessions still hold the text: ${sessions.map((ref) => label(ref)).join(", ")}.`,
              ]
            : []),
        ],
      };
    } finally {
      memory.close();
    }
  },
});
