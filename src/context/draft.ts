import type { EventId } from "../model/event.ts";
import type { ContextMessage, MessageBlock } from "./messages.ts";

/** A message while events are still being added to it. */
export interface Draft {
  readonly role: ContextMessage["role"];
  readonly content: MessageBlock[];
  readonly events: EventId[];
  model?: string;
  readonly author?: string;
  readonly summary?: true;
  readonly injected?: true;
}

/** A message with its first blocks; the list of them becomes its own. */
export function draftOf(
  role: Draft["role"],
  given: {
    readonly content: MessageBlock[];
    readonly event: EventId;
    readonly author?: string | undefined;
    readonly summary?: boolean;
    readonly injected?: boolean;
  },
): Draft {
  const { content, event, author, summary, injected } = given;
  const draft: Marked = { role, content, events: [event] };
  // Most messages have none of these, and a context may hold a hundred thousand messages.
  if (author !== undefined) draft.author = author;
  if (summary === true) draft.summary = true;
  if (injected === true) draft.injected = true;
  return draft;
}

type Marked = { -readonly [Key in keyof Draft]: Draft[Key] };
