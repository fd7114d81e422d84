import { asString, isObject, type JsonObject } from "../../../base/json.ts";
import type { EventBody } from "../../../model/event.ts";
import type { AgentEvent } from "../../contract.ts";
import { entryKind, type Place } from "./message-index.ts";
import { numberOf } from "./numbering.ts";

/** The event of a record that is not a message: the header, a title, a rewind; undefined if it says nothing. */
export function sideEvent(
  record: JsonObject,
  about: { readonly kind: number; readonly place: Pick<Place, "line" | "offset" | "firstEvent"> },
): AgentEvent | undefined {
  const body = sideBody(record, about.kind);
  if (body === undefined) return undefined;
  const number = numberOf(about.place, 0);
  const at = asString(record["startTime"]);
  const live = body.type !== "custom";
  return { number, ...(at === undefined ? {} : { at }), live, body, native: record };
}

/** What a record that is not a message says. */
export function sideBody(record: JsonObject, kind: number): EventBody | undefined {
  switch (kind) {
    case entryKind.header: {
      const {
        sessionId,
        projectHash,
        startTime: _at,
        lastUpdated: _updated,
        messages: _,
        ...metadata
      } = record;
      return {
        type: "session_start",
        format: 1,
        session: String(sessionId),
        agent: { name: "gemini-cli" },
        metadata: { ...(projectHash === undefined ? {} : { projectHash }), ...metadata },
      };
    }
    case entryKind.meta:
      return isObject(record["$set"]) ? metaBody(record["$set"]) : undefined;
    case entryKind.rewind:
      return { type: "custom", name: "gemini-cli/rewind", data: { to: record["$rewindTo"] } };
    default:
      return { type: "custom", name: "gemini-cli/record", data: record };
  }
}

function metaBody(fields: JsonObject): EventBody {
  const summary = asString(fields["summary"]);
  const data: Record<string, unknown> = {};
  for (const name of ["memoryScratchpad", "directories"]) {
    if (fields[name] !== undefined) data[name] = fields[name];
  }
  return {
    type: "meta",
    ...(summary === undefined ? {} : { title: summary }),
    ...(Object.keys(data).length === 0 ? {} : { data }),
  };
}
