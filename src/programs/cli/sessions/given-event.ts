import { RepriseError } from "../../../base/errors.ts";
import { asString, type JsonObject } from "../../../base/json.ts";
import type { Content } from "../../../model/block.ts";
import { checkEvent } from "../../../model/check-event.ts";
import type { EventBody } from "../../../model/event.ts";

/**
 * The event a user's object means: an event as docs/format.md has it, or a message such as
 * `{"role":"user","content":"…"}`; a `tool` message names its call.
 */
export function givenEvent(object: JsonObject, line: number): EventBody {
  try {
    const body = object["type"] === undefined ? fromRole(object) : (object as unknown as EventBody);
    if (body.type === "session_start")
      throw bad("a session has one session_start, its first event");
    return checkEvent(body);
  } catch (error) {
    if (!(error instanceof RepriseError)) throw error;
    throw new RepriseError(error.code, `Line ${line}: ${error.message}`, { cause: error });
  }
}

function fromRole(object: JsonObject): EventBody {
  const content = object["content"] as Content;
  switch (object["role"]) {
    case "user":
    case "human": {
      const author = asString(object["author"]) ?? asString(object["name"]);
      return { type: "user", content, ...(author !== undefined && { author }) };
    }
    case "assistant":
    case "ai":
    case "model": {
      const model = asString(object["model"]);
      return { type: "assistant", content, ...(model !== undefined && { model }) };
    }
    case "system":
    case "developer":
      return { type: "system", content };
    case "tool": {
      const call = asString(object["call"]) ?? asString(object["tool_call_id"]);
      if (call === undefined) throw bad('a tool message needs "call"');
      return { type: "tool_result", call, content };
    }
    default:
      throw bad('it needs a "type", or a "role" of user, assistant, system or tool');
  }
}

function bad(why: string): RepriseError {
  return new RepriseError("bad_event", `The event is refused: ${why}.`);
}
