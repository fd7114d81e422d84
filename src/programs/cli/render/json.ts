import type { AgentEvent } from "../../../agents/contract.ts";
import type { Tally } from "../../../agents/reading.ts";
import type { SessionHead } from "../../../model/head.ts";
import { jsonLine } from "../terminal/terminal-text.ts";

/** The number of the shape below; it changes only when a field changes its meaning. */
export const exportFormat = 1;

/** The shape of an exported session, as the help and the docs print it. */
export const exportShape = `{ format: 1, session: SessionHead,
  events: { number: string, uuid?: string, parent?: string, at?: string, live: boolean,
            sidechain?: string, body: EventBody, native?: unknown }[],
  damage: { records: number, recovered: number, first: Damage[] }, unknown: Record<string, number> }`;

/** How much of each event is written. */
export interface JsonOptions {
  /** Also the record as the agent wrote it. */
  readonly native: boolean;
}

/** A whole session as one JSON value, written piece by piece. */
export async function* json(
  head: SessionHead,
  events: AsyncIterable<AgentEvent>,
  options: JsonOptions & { readonly tally: Tally },
): AsyncGenerator<string> {
  yield `{"format":${exportFormat},"session":${jsonLine(head)},"events":[`;
  let separator = "\n";
  for await (const event of events) {
    yield `${separator}${jsonLine(eventJson(event, options))}`;
    separator = ",\n";
  }
  yield `\n],${jsonLine(ending(options.tally)).slice(1)}\n`;
}

/** The same as lines: the session, its events, and how the reading ended. */
export async function* jsonl(
  head: SessionHead,
  events: AsyncIterable<AgentEvent>,
  options: JsonOptions & { readonly tally: Tally },
): AsyncGenerator<string> {
  yield `${jsonLine({ format: exportFormat, session: head })}\n`;
  for await (const event of events) yield `${jsonLine(eventJson(event, options))}\n`;
  yield `${jsonLine(ending(options.tally))}\n`;
}

function eventJson(event: AgentEvent, options: JsonOptions): AgentEvent {
  if (options.native) return event;
  const { native: _native, ...rest } = event;
  return rest;
}

function ending(tally: Tally): object {
  return {
    damage: { records: tally.damaged, recovered: tally.recovered, first: tally.damages },
    unknown: Object.fromEntries(tally.unknown),
  };
}
