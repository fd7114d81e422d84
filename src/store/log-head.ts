import { limits } from "../base/limits.ts";
import { plainText } from "../model/block.ts";
import type { SessionEvent } from "../model/event.ts";
import { quietTypes } from "../model/event-groups.ts";
import type { SessionHead } from "../model/head.ts";
import { isPrompt } from "../model/prompt.ts";
import { titleOfPrompt } from "../model/title.ts";
import { addFacts, addOrigin, type HeadDraft, stateAfter } from "./head.ts";
import { ownAgent } from "./own-agent.ts";
import type { SessionLog } from "./session-log.ts";

/** The fields of an event that stay readable where it is sealed. */
type EventFacts = Pick<SessionEvent, "id" | "at"> & { readonly type: string };

/**
 * What a list shows of a session that does not lie in a file of its own; `path` says where it lies, `newest` gives its
 * last events, newest first.
 */
export function headOfLog(
  log: SessionLog,
  { path, newest }: { readonly path: string; readonly newest: Iterable<EventFacts> },
): SessionHead {
  const { start } = log;
  const head: HeadDraft = {
    agent: ownAgent,
    session: log.session,
    path,
    sizeBytes: log.sizeBytes(),
    createdAt: start.at,
    updatedAt: start.at,
    state: "unknown",
    events: start.id,
  };
  addEnd(head, newest);
  addOrigin(head, start);
  if (start.seal !== undefined) return { ...head, sealed: true, title: "(sealed)" };
  const meta = log.meta();
  const title = meta.title ?? firstPrompt(log);
  if (title !== undefined) {
    head.title = title;
    head.titled = meta.title !== undefined && meta.title !== null;
  }
  addFacts(head, start, meta);
  return head;
}

/** The last event, and how the session was left: by the last one that is more than a remark. */
function addEnd(head: HeadDraft, newest: Iterable<EventFacts>): void {
  let isLast = true;
  for (const event of newest) {
    if (isLast) {
      head.updatedAt = event.at;
      head.events = event.id;
    }
    isLast = false;
    if (quietTypes.has(event.type)) continue;
    head.state = stateAfter(event.type);
    return;
  }
}

function firstPrompt(log: SessionLog): string | undefined {
  let looked = 0;
  for (const event of log.events()) {
    if (isPrompt(event)) {
      const title = titleOfPrompt(plainText(event.content));
      if (title !== "") return title;
    }
    looked += 1;
    if (looked >= limits.titleSearchEvents) return undefined;
  }
  return undefined;
}
