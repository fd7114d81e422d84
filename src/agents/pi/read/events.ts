import { timeOf } from "../../../base/clock.ts";
import { asNumber, asString, isObject, type JsonObject } from "../../../base/json.ts";
import { eventNumber } from "../../../model/event-number.ts";
import type { AgentEvent } from "../../contract.ts";
import type { RecordBodies } from "./bodies.ts";

/** One record's events, each following the one before. */
export function eventsOf(
  record: JsonObject,
  said: RecordBodies,
  place: {
    /** The number of the record's line. */
    readonly line: string;
    /** How many events of the same line came before. */
    readonly before: number;
    readonly parent?: string | undefined;
    readonly live: boolean;
  },
): readonly AgentEvent[] {
  const uuid = asString(record["id"]);
  const at = timeStamp(record);
  const firstSent = said.sent ? (said.superseded ?? 0) : said.bodies.length;
  return said.bodies.map((body, index) => {
    const number = eventNumber(place.line, place.before + index + 1);
    const parent = index === 0 ? place.parent : eventNumber(place.line, place.before + index);
    return {
      number,
      ...(uuid !== undefined && { uuid }),
      ...(parent !== undefined && { parent }),
      ...(at !== undefined && { at }),
      live: place.live && index >= firstSent,
      body,
      native: record,
    };
  });
}

const isoShape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** When a record was written, or its message made. */
function timeStamp(record: JsonObject): string | undefined {
  const written = record["timestamp"];
  const writtenMs = timeOf(written);
  if (writtenMs !== undefined && typeof written === "string" && isoShape.test(written)) {
    return written;
  }
  const message = isObject(record["message"]) ? record["message"] : undefined;
  const ms = writtenMs ?? asNumber(message?.["timestamp"]);
  return ms === undefined || Math.abs(ms) > 8.64e15 ? undefined : new Date(ms).toISOString();
}
