import { timeOf } from "../../../base/clock.ts";
import { asString, type JsonObject } from "../../../base/json.ts";
import { lineNumber } from "../../../jsonl/line-number.ts";
import type { RecordLine } from "../../../jsonl/records.ts";
import { eventNumber } from "../../../model/event-number.ts";
import type { UnknownCounts } from "../../batches.ts";
import type { AgentEvent } from "../../contract.ts";
import { dataOf, isHeader, subagentOf } from "../record-types.ts";
import { type CallUsage, callUsage, usageOfAnswer } from "../token-usage.ts";
import { assetBefore } from "./assets.ts";
import { bodiesOf } from "./bodies.ts";

/** Turns lines into events; remembers the tokens of the answer to come. */
export class EventMaker {
  usage: CallUsage | undefined;
  readonly #fd: number;
  readonly #liveFrom: number;

  constructor(
    fd: number,
    options: { readonly liveFrom: number; readonly usage?: CallUsage | undefined },
  ) {
    this.#fd = fd;
    this.#liveFrom = options.liveFrom;
    this.usage = options.usage;
  }

  /** The events of one line, what is not known counted. */
  *eventsOf(line: RecordLine, unknown?: UnknownCounts): Generator<AgentEvent> {
    const number = lineNumber(line);
    let count = 0;
    for (const record of line.records) {
      const usage = usageOfAnswer(dataOf(record), this.usage);
      this.usage = callUsage(record) ?? this.usage;
      const assetOf = (asset: string) => assetBefore(this.#fd, { asset, end: line.offset });
      const said = bodiesOf(record, { usage, assetOf });
      if (said.unknown) unknown?.add((asString(record["type"]) ?? "no type").slice(0, 64));
      const live = said.sent && (isHeader(record) || line.offset >= this.#liveFrom);
      const frame = frameOf(record);
      for (const body of said.bodies) {
        count += 1;
        yield { number: eventNumber(number, count), ...frame, live, body, native: record };
      }
    }
  }
}

function frameOf(record: JsonObject): Pick<AgentEvent, "uuid" | "at" | "sidechain"> {
  const uuid = asString(record["id"]);
  const written = asString(record["timestamp"]);
  const ms = timeOf(written);
  const sidechain = subagentOf(record);
  return {
    ...(uuid !== undefined && { uuid }),
    ...(ms !== undefined && { at: new Date(ms).toISOString() }),
    ...(sidechain !== undefined && { sidechain }),
  };
}
