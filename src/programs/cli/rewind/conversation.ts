import { type NamedSession, referenceTo } from "../../../agents/reference.ts";
import { RepriseError } from "../../../base/errors.ts";
import type { JsonObject } from "../../../base/json.ts";
import { allowedWriter } from "../../../convert/convert.ts";
import { conversionRequest } from "../../../convert/request.ts";
import { record } from "../../../log/journal.ts";
import type { EventId } from "../../../model/event.ts";
import { convertSession } from "../resume/conversion.ts";
import { reportText } from "../resume/report-text.ts";
import type { CommandContext } from "../run/command.ts";
import { eventIdOf, homeOf, isNative, openNative } from "../sessions/native.ts";

/** A conversation that will go back to an event. */
export interface ConversationPlan {
  /** What will happen, a sentence. */
  readonly text: string;
  readonly json: JsonObject;
  /** Does it, as a part of an intention where one is given. */
  move(journal: JsonObject): Promise<ConversationMoved>;
}

/** A conversation that went back. */
export interface ConversationMoved {
  /** The entry of the journal by which it is undone. */
  readonly entry: EventId;
  readonly says: string;
  readonly json: JsonObject;
}

/** How a session's conversation goes back to its event: ours by an event, another agent's by a fork that ends there. */
export async function planConversation(
  found: NamedSession,
  context: CommandContext,
  options: { readonly reason?: string | undefined } = {},
): Promise<ConversationPlan> {
  return isNative(found) ? ofOurs(found, context, options) : ofOther(found, context);
}

async function ofOurs(
  found: NamedSession,
  context: CommandContext,
  { reason }: { readonly reason?: string | undefined },
): Promise<ConversationPlan> {
  const to = eventIdOf(found) ?? 0;
  const session = openNative(found, context);
  const from = session.getLeafId();
  const json = { session: session.getSessionId(), to, from };
  await session.close();
  if (to < 1 || to > from) {
    throw new RepriseError("not_found", `There is no event ${to}; the last is ${from}.`, {
      hint: `See its events with \`reprise show ${referenceTo(found)}\`.`,
    });
  }
  return {
    text: `Go back to event ${to}; the session is at ${from}, and what lies between leaves the path.`,
    json,
    move: async (journal) => {
      const again = openNative(found, context);
      try {
        const event = await again.rewind(to, reason);
        const data = { ...json, file: found.ref.path, event: event.id, ...journal };
        const entry = record(homeOf(context).journal, "rewind", data);
        const says = `Went back to event ${to}; this is event ${event.id}.`;
        return { entry, says, json: { ...json, event: event.id } };
      } finally {
        await again.close();
      }
    },
  };
}

/** Another agent's session is never changed: a fork of it, in the agent's own format, ends at the event. */
async function ofOther(found: NamedSession, context: CommandContext): Promise<ConversationPlan> {
  const { agent, event } = found;
  const request = conversionRequest(found, { to: agent.name }, context);
  await allowedWriter(request);
  const json = { session: found.head.session, agent: agent.name, to: event };
  const warning = agent.warning === undefined ? "" : `\n${agent.warning}`;
  return {
    text: `Make a session for ${agent.title} that ends at event ${event}; ${referenceTo(found)} stays as it is.${warning}`,
    json,
    move: async (journal) => {
      const made = await convertSession({ ...request, journal: { rewind: true, ...journal } });
      const ref = `${agent.name}:${made.written.ref.session}`;
      return {
        entry: made.entry,
        says: `${reportText(request, made)}\nContinue with \`reprise resume ${ref}\`.`,
        json: { ...json, fork: ref },
      };
    },
  };
}
