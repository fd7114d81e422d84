import { resolveReference } from "../../../agents/reference.ts";
import { RepriseError } from "../../../base/errors.ts";
import { asNumber, asString, isObject, type JsonObject } from "../../../base/json.ts";
import type { EventId } from "../../../model/event.ts";
import { conversionKind } from "../../../store/copies.ts";
import { ownAgent } from "../../../store/own-agent.ts";
import { type RedoCompanion, registerRedoCompanion } from "../../../store/redo.ts";
import type { CommandContext } from "../run/command.ts";
import { openNative } from "../sessions/native.ts";
import { planConversation } from "./conversation.ts";

/** Lets `redo` move conversations: ours, and forks that a rewind wrote for other agents. */
export function registerRedoing(context: CommandContext): void {
  registerRedoCompanion("rewind", moving(context, ofOurs));
  registerRedoCompanion(conversionKind, moving(context, ofOther), isFork);
}

/** The session and event an entry moved to. */
type Moved = (data: JsonObject, context: CommandContext) => Promise<string>;

function moving(context: CommandContext, moved: Moved): RedoCompanion {
  return async (_home, undone, _env, of) => {
    const ref = await moved(undone.data, context);
    const plan = await planConversation(resolveReference(ref, context), context);
    const done = await plan.move(partOf(of, undone.entry));
    return { entry: done.entry, did: done.says.replaceAll("\n", " ").replace(/\.$/, "") };
  };
}

function partOf(of: EventId | undefined, redoes: EventId): JsonObject {
  return of === undefined ? { redoes } : { of };
}

/** Only where the session was not continued since the undo, which went to `from`. */
async function ofOurs(data: JsonObject, context: CommandContext): Promise<string> {
  const ref = `${ownAgent}:${asString(data["session"])}`;
  const session = openNative(resolveReference(ref, context), context);
  try {
    for await (const event of session.events({ reverse: true })) {
      if (event.type === "rewind" && event.to === asNumber(data["from"])) break;
      throw new RepriseError("conflict", "The session has changed since the undo.", {
        hint: `Go there yourself: \`reprise rewind ${ref}@${asNumber(data["to"])}\`.`,
      });
    }
  } finally {
    await session.close();
  }
  return `${ref}@${asNumber(data["to"])}`;
}

/** Whether a rewind wrote it; any other conversion is made by its own command. */
function isFork({ from, rewind }: JsonObject): boolean {
  return rewind === true && isObject(from);
}

async function ofOther({ from }: JsonObject): Promise<string> {
  const { agent, session, event } = isObject(from) ? from : {};
  return `${asString(agent)}:${asString(session)}@${asString(event)}`;
}
