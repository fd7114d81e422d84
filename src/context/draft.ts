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

/** A message with its first blocks. */
export function draftOf(
  role: Draft["role"],
  given: {
    readonly content: readonly MessageBlock[];
    readonly event: EventId;
    readonly model?: string;
    readonly author?: string;
    readonly summary?: true;
    readonly injected?: true;
  },
): Draft {
  const { content, event, ...marks } = given;
  return { role, content: [...content], events: [event], ...marks };
}
