import { z } from "zod";
import { referenceTo } from "../../../agents/reference.ts";
import { sessionHandover } from "../../../bridge/ledger/session-handover.ts";
import { label, type Reply } from "../answer.ts";
import { maxTokens, words } from "../fields.ts";
import { openSession } from "../sessions.ts";
import { type McpCall, tool } from "../tool.ts";

/** `handoff`: a session in a page, to continue its work. */
export const handoff = tool({
  name: "handoff",
  title: "Handoff of a session",
  description:
    "Summarises a session in one page, without a model: goal, state, decisions, files touched, open ends, the last exchange. Use it to continue work that another session began.",
  input: z.object({
    session: words(
      "The session: agent:id, @last, words of its title; agent:id@57 stops there",
    ).default("@last"),
    max_tokens: maxTokens,
  }),
  changes: "nothing",
  run: ({ session, max_tokens: tokens }, call) => handoverReply(session, tokens, call),
});

/** The page of a session, within a budget. */
export async function handoverReply(
  reference: string,
  tokens: number,
  call: McpCall,
): Promise<Reply> {
  const session = await openSession(reference, call);
  // The frame takes some of it.
  const { text } = await sessionHandover(session, { budgetTokens: Math.floor(tokens * 0.8) - 100 });
  const from = referenceTo(session);
  return {
    head: [`Handoff of ${label(from)}, taken from its record; check it against the files.`],
    items: [{ pieces: [{ text, from, as: "hand-over" }] }],
  };
}
