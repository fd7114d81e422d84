import { timeOf } from "../../../base/clock.ts";
import { asString, type JsonObject } from "../../../base/json.ts";
import { lineNumber } from "../../../jsonl/line-number.ts";
import type { RecordLine } from "../../../jsonl/records.ts";
import { eventNumber } from "../../../model/event-number.ts";
import type { UnknownCounts } from "../../batches.ts";
import type { AgentEvent } from "../../contract.ts";
import { subagentOf } from "../record-types.ts";
import { bodiesOf } from "./bodies.ts";
import type { LivePlaces } from "./live-path.ts";

/** The events of one line, what is not known counted. */
export function* eventsOf(
  line: RecordLine,
  options: { readonly live: LivePlaces; readonly unknown?: UnknownCounts },
): Generator<AgentEvent> {
  const number = lineNumber(line);
  let count = 0;
  for (const [at, record] of line.records.entries()) {
    const said = bodiesOf(record);
    if (said.unknown) options.unknown?.add(nameOf(record));
    const live = options.live.has(line.offset, at) && said.sent;
    const frame = frameOf(record);
    for (const body of said.bodies) {
      count += 1;
      yield { number: eventNumber(number, count), ...frame, live, body, native: record };
    }
  }
}

function nameOf(record: JsonObject): string {
  const name = asString(record["subtype"]) ?? asString(record["type"]) ?? "no type";
  return name.slice(0, 64);
}

function frameOf(record: JsonObject): Pick<AgentEvent, "uuid" | "at" | "sidechain"> {
  const uuid = asString(record["uuid"]);
  const ms = timeOf(record["timestamp"]);
  const sidechain = subagentOf(record);
  return {
    ...(uuid !== undefined && { uuid }),
    ...(ms !== undefined && { at: new Date(ms).toISOString() }),
    ...(sidechain !== undefined && { sidechain }),
  };
}
