import { isRepriseError } from "../base/errors.ts";
import type { EventId, SessionEvent } from "../model/event.ts";
import type { FollowOptions } from "./contract.ts";
import type { SessionLog } from "./session-log.ts";

/** Events of a log as they are appended, anyone who appends them; ends when the signal aborts or the log is closed. */
export async function* followLog(
  log: SessionLog,
  { from, signal }: FollowOptions = {},
): AsyncGenerator<SessionEvent> {
  let next: EventId = from ?? log.lastId() + 1;
  const bell = log.bell(signal);
  try {
    while (!signal?.aborted) {
      for (const event of log.events({ from: next, raw: true })) {
        next = event.id + 1;
        yield event;
        if (signal?.aborted) return;
      }
      await bell.next();
    }
  } catch (error) {
    if (!isRepriseError(error, "closed")) throw error;
  } finally {
    bell.stop();
  }
}
