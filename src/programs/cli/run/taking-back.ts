import type { Agent } from "../../../agents/contract.ts";
import { RepriseError } from "../../../base/errors.ts";
import { asNumber, asString, type JsonObject } from "../../../base/json.ts";
import { registerSettings } from "../../../bridge/install/installed.ts";
import { registerSlash } from "../../../bridge/install/slash/install.ts";
import { registerConversions } from "../../../convert/journal.ts";
import { settleImport } from "../../../store/import.ts";
import { registerSettling } from "../../../store/intention.ts";
import { SessionManager } from "../../../store/session-manager.ts";
import { registerUndo, settleUndo } from "../../../store/undo.ts";
import { managerOptions } from "../sessions/native.ts";
import type { CommandContext } from "./command.ts";

/** Registers everything that can be taken back, whether by `undo` or because a command was killed. */
export function registerTakingBack(agents: readonly Agent[], context: CommandContext): void {
  registerUndo("rewind", (_home, data) => undoRewind(data, context));
  registerConversions(agents, context.env);
  registerSettings();
  registerSlash();
  registerSettling("import", settleImport);
  registerSettling("undo", settleUndo);
}

/** Goes forward again to where the session was, unless it has gone on since. */
async function undoRewind(data: JsonObject, context: CommandContext): Promise<string> {
  const from = asNumber(data["from"]) ?? 0;
  const session = SessionManager.open(asString(data["file"]) ?? "", managerOptions(context));
  try {
    const last = session.getLeafId();
    if (await wentForward(session, { from, last, event: asNumber(data["event"]) ?? last }))
      return `found it at event ${from} again`;
    if (last !== data["event"]) {
      throw new RepriseError("conflict", "The session has gone on since the rewind.", {
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
