import type { Environment } from "../base/env.ts";
import { RepriseError } from "../base/errors.ts";
import { asNumber, asString, type JsonObject } from "../base/json.ts";
import type { Home } from "./home.ts";
import { SessionManager } from "./session-manager.ts";

/** Goes forward again to where the session was, unless it has gone on since. */
export async function undoRewind(_home: Home, data: JsonObject, env: Environment): Promise<string> {
  const from = asNumber(data["from"]) ?? 0;
  const file = asString(data["file"]) ?? "";
  const session = SessionManager.open(file, { env, leasePerAppend: true });
  try {
    const last = session.getLeafId();
    if (await wentForward(session, { from, last, event: asNumber(data["event"]) ?? last }))
      return `found it at event ${from} again`;
    if (last !== data["event"]) {
      throw new RepriseError("conflict", "The session has changed since the rewind.", {
        hint: `Go there yourself: \`reprise rewind ${session.getSessionId()}@${from}\`.`,
      });
    }
    await session.rewind(from, "undo");
  } finally {
    await session.close();
  }
  return `went forward to event ${from}`;
}

/** Whether an undo that was killed had come this far: the next event after the rewind goes back to where it came from. */
async function wentForward(
  session: SessionManager,
  at: { readonly from: number; readonly last: number; readonly event: number },
): Promise<boolean> {
  if (at.last !== at.event + 1) return false;
  for await (const event of session.events({ reverse: true }))
    return event.type === "rewind" && event.to === at.from;
  return false;
}
