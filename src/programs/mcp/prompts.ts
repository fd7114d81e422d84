import type { GetPromptResult, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { limits } from "../../base/limits.ts";
import { answerText } from "./answer.ts";
import { words } from "./fields.ts";
import type { Serve } from "./resources.ts";
import { handoverReply } from "./tools/handoff.ts";

/** Offers what people choose by themselves: to take over another session's work, and to leave this one's. */
export function addPrompts(server: McpServer, serve: Serve): void {
  server.registerPrompt(
    "take-over",
    {
      title: "Take over a session",
      description: "Continue the work of an earlier session, whichever agent it ran in",
      argsSchema: z.object({
        session: words(
          "The session: agent:id, words of its title; the newest if absent",
        ).optional(),
      }),
    },
    ({ session = "@last" }, context) =>
      serve(context, async (call) => {
        const page = await answerText(
          await handoverReply(session, limits.mcpTokens, call),
          limits.mcpTokens,
        );
        return said(
          "Continue the work that the following record describes. Check what it says against the files first, then say what you will do next.",
          page,
        );
      }),
  );
  server.registerPrompt(
    "hand-over",
    {
      title: "Hand over this session",
      description: "Leave what the next session must know",
    },
    () =>
      said(
        "This session ends. Say in at most ten lines what the next one must know: the goal, what is done, what was decided and why, what is open, what failed. Then call `propose_memory` once for each decision, preference or command that will still hold next week, each with a short key; nothing that is only about today.",
      ),
  );
}

function said(...texts: readonly string[]): GetPromptResult {
  return {
    messages: texts.map((text) => ({ role: "user", content: { type: "text", text } })),
  };
}
