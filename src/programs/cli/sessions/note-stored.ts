import { type FoundSession, findSessions } from "../../../agents/find-sessions.ts";
import { referenceTo } from "../../../agents/reference.ts";
import { copyFinder } from "../../../catalog/family/copies.ts";
import type { CommandContext } from "../run/command.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** Says beside the answer that what a given file holds is in a store too, and how it is named there. */
export async function noteStored(session: FoundSession, context: CommandContext): Promise<void> {
  if (context.json || session.head.elsewhere !== true) return;
  const alike = await copyFinder(findSessions(context)).alike(session);
  const stored = alike.find((other) => other !== session);
  if (stored === undefined) return;
  context.out.note(
    `A session of your store begins as this file does: ${safeLine(referenceTo(stored))}.`,
  );
}
