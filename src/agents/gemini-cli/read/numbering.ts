import { asString, type JsonObject } from "../../../base/json.ts";
import { isCounted, lineNumber } from "../../../jsonl/line-number.ts";
import { eventNumber } from "../../../model/event-number.ts";
import type { AgentEvent } from "../../contract.ts";
import type { Draft } from "./bodies.ts";
import type { Place } from "./message-index.ts";

/** The number of a record's event: by its line, beyond the counted lines by where the record begins. */
export function numberOf(
  place: Pick<Place, "line" | "offset" | "firstEvent">,
  index: number,
): string {
  const before = isCounted(place.offset) ? place.firstEvent : 0;
  return eventNumber(lineNumber(place), before + index + 1);
}

/** A draft with its number and its native record. */
export function eventOf(
  draft: Draft,
  options: { readonly number: string; readonly message: JsonObject },
): AgentEvent {
  const uuid = asString(options.message["id"]);
  return {
    number: options.number,
    ...(uuid === undefined ? {} : { uuid }),
    ...(draft.at === undefined ? {} : { at: draft.at }),
    live: draft.live,
    body: draft.body,
    native: options.message,
  };
}
