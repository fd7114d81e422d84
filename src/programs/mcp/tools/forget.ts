import { z } from "zod";
import { limits } from "../../../base/limits.ts";
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
