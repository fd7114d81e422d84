import { z } from "zod";
import { limits } from "../../../base/limits.ts";
import { applyChanges } from "../../../bridge/install/installed.ts";
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
      applyChanges(memory.home, pages);
      const { ids: forgotten, sessions } = await memory.forget([name]);
      return {
        head: [
          `Forgotten for good: ${forgotten.map((id) => label(id)).join(", ")}.`,
          ...pages.map(({ file }) => `Taken out of the page ${label(file, 512)}.`),
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
