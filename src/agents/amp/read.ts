import { fstatSync } from "node:fs";
import { ByteWindow } from "../../base/byte-window.ts";
import { asString, type JsonObject, parseObject } from "../../base/json.ts";
import { proofBefore } from "../../jsonl/proof.ts";
import type { Damage } from "../../model/damage.ts";
import { eventNumber } from "../../model/event-number.ts";
import { Batches, type UnknownCounts } from "../batches.ts";
import type { AgentEvent, ReadBatch, ReadOptions, SessionRef } from "../contract.ts";
import { wholeElements } from "../json-elements.ts";
import { readFile } from "../session-file.ts";
import { agentName } from "./locate.ts";
import { bodiesOf } from "./read/bodies.ts";
import {
  folderOf,
  messagesForm,
  modelOf,
  momentOf,
  msOf,
  outerFields,
  summaryIn,
  versionOf,
} from "./thread.ts";

/** The events of a thread: what the program would replay, or with `allBranches` everything that can be read. */
export function read(ref: SessionRef, options: ReadOptions = {}): AsyncGenerator<ReadBatch> {
  return readFile(ref, options, (fd) => batches(fd, options));
}

function* batches(fd: number, options: ReadOptions): Generator<ReadBatch> {
  const size = fstatSync(fd).size;
  const sample = `${size} ${proofBefore(fd, size)}`;
  const from = options.from === undefined ? undefined : parseObject(options.from);
  // The program rewrites the file whole, so any change means to begin again.
  const isSame = from?.["amp"] === sample;
  const skip = isSame && typeof from?.["done"] === "number" ? from["done"] : 0;
  const gathered = new Batches({ restart: options.from !== undefined && !isSame });
  const last = options.from === undefined ? options.last : undefined;
  let kept: AgentEvent[] = [];
  let done = 0;
  const here = (): string => JSON.stringify({ amp: sample, done });
  const onDamage = (damage: Damage): void => {
    if (skip === 0) gathered.damage(damage);
  };
  for (const event of eventsIn(fd, { size, onDamage, unknown: gathered.unknown })) {
    if (!event.live && !options.allBranches) continue;
    done += 1;
    if (done <= skip) continue;
    if (last === undefined) gathered.event(event);
    else {
      kept.push(event);
      if (kept.length > last * 2 + 256) kept = kept.slice(-Math.max(1, last));
    }
    if (gathered.isFull) yield gathered.take(here());
  }
  if (last !== undefined && last > 0) for (const event of kept.slice(-last)) gathered.event(event);
  if (skip > 0) gathered.unknown.take();
  yield gathered.last(here());
}

function* eventsIn(
  fd: number,
  options: {
    readonly size: number;
    readonly onDamage: (damage: Damage) => void;
    readonly unknown: UnknownCounts;
  },
): Generator<AgentEvent> {
  const { size, onDamage, unknown } = options;
  if (size === 0) return;
  const window = new ByteWindow(fd, size);
  const start = startOf(outerFields(window));
  if (start === undefined) onDamage({ kind: "bad_header", offset: 0, recovered: 0 });
  else yield start;
  const cut = lastSummary(window);
  let ordinal = 0;
  for (const { element } of wholeElements(window, { ...messagesForm, onDamage })) {
    ordinal += 1;
    const said = bodiesOf(element, ordinal);
    if (said.unknown) unknown.add(asString(element["role"])?.slice(0, 64) ?? "no role");
    const ms = momentOf(element);
    const at = ms === undefined ? {} : { at: new Date(ms).toISOString() };
    const live = said.sent && ordinal >= cut;
    for (const [index, body] of said.bodies.entries()) {
      yield { number: eventNumber(String(ordinal), index + 1), ...at, live, body, native: element };
    }
  }
}

/** What a thread says of itself, as the event it begins with. */
function startOf(fields: JsonObject): AgentEvent | undefined {
  const session = asString(fields["id"]);
  if (session === undefined) return undefined;
  const { messages: _messages, ...native } = fields;
  const ms = msOf(fields["created"]);
  const cwd = folderOf(fields);
  const model = modelOf(fields);
  const title = asString(fields["title"]);
  const version = versionOf(fields);
  return {
    number: "0",
    ...(ms !== undefined && { at: new Date(ms).toISOString() }),
    live: true,
    body: {
      type: "session_start",
      format: 1,
      session,
      agent: { name: agentName, ...(version !== undefined && { version }) },
      ...(cwd !== undefined && { cwd }),
      ...(model !== undefined && { model }),
      ...(title !== undefined && { title }),
    },
    native,
  };
}

const summaryMark = Buffer.from('"summary"');

/** The place of the newest summary, which stands for all before it; 0 where there is none. */
function lastSummary(window: ByteWindow): number {
  let ordinal = 0;
  let cut = 0;
  const onDamage = (): void => undefined;
  for (const { element, offset, length } of wholeElements(window, { ...messagesForm, onDamage })) {
    ordinal += 1;
    if (!window.range(offset, length).includes(summaryMark)) continue;
    if (summaryIn(element) !== undefined) cut = ordinal;
  }
  return cut;
}
