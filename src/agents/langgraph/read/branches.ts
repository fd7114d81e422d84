import { isoOf } from "../../../base/clock.ts";
import { asString, isObject, parseObject } from "../../../base/json.ts";
import type { Damage } from "../../../model/damage.ts";
import type { AgentEvent } from "../../contract.ts";
import { momentOfId } from "../checkpoint-id.ts";
import { eventsOfMessage, lastNumber, type OpenThread } from "./events.ts";
import { messagesIn, snapshotAt } from "./snapshot.ts";
import { storedValue } from "./stored-value.ts";
import type { CheckpointRow } from "./thread-source.ts";

/** What a run would not continue from: every checkpoint, the messages of forks, subgraphs, interrupts and errors. */
export function* readBranches(
  open: OpenThread,
  onDamage: (damage: Damage) => void,
): Generator<AgentEvent> {
  yield* checkpointEvents(open);
  for (const leaf of open.leaves) {
    if (leaf.id !== open.leaf?.id) yield* forkEvents(open, leaf, onDamage);
  }
  for (const ns of open.source.namespaces()) yield* subgraphEvents(open, ns, onDamage);
  yield* writeEvents(open);
}

/** A checkpoint as a place one can come back to; its number counts them in the order they were made. */
function* checkpointEvents({ source }: OpenThread): Generator<AgentEvent> {
  const places = new Map<string, number>();
  let place = 0;
  for (const { id, parent, metadata } of source.rows("")) {
    place += 1;
    places.set(id, place);
    const about = metadataIn(metadata);
    const label = `step ${String(about["step"] ?? "?")} (${asString(about["source"]) ?? "unknown"})`;
    const before = parent === undefined ? undefined : places.get(parent);
    const ms = momentOfId(id);
    yield {
      number: `checkpoints/${place}`,
      uuid: id,
      ...(before !== undefined && { parent: `checkpoints/${before}` }),
      ...(ms !== undefined && ms > 0 && { at: isoOf(ms) }),
      live: false,
      body: { type: "checkpoint", label, data: about },
    };
  }
}

function metadataIn(metadata: unknown): Readonly<Record<string, unknown>> {
  const text =
    metadata instanceof Uint8Array ? Buffer.from(metadata).toString("utf8") : asString(metadata);
  return parseObject(text ?? "") ?? {};
}

/** The messages of a fork from where it leaves the live ones. */
function* forkEvents(
  open: OpenThread,
  leaf: CheckpointRow,
  onDamage: (damage: Damage) => void,
): Generator<AgentEvent> {
  const messages = messagesAt(open, "", leaf.id, onDamage);
  const live = open.messages.map(({ native }) => JSON.stringify(native));
  let shared = 0;
  while (shared < messages.length && live[shared] === JSON.stringify(messages[shared]!.native))
    shared += 1;
  let parent = shared === 0 ? undefined : lastNumber(shared, messages[shared - 1]!);
  for (let index = shared; index < messages.length; index += 1) {
    for (const event of eventsOfMessage(messages[index]!, { number: `${leaf.id}/${index + 1}` })) {
      yield { ...event, live: false, ...(parent !== undefined && { parent }) };
      parent = event.number;
    }
  }
}

/** What a subgraph said, as its newest checkpoint has it. */
function* subgraphEvents(
  open: OpenThread,
  ns: string,
  onDamage: (damage: Damage) => void,
): Generator<AgentEvent> {
  const [leaf] = open.source.leaves(ns);
  if (leaf === undefined) return;
  const lane = ns.replace(/[^\w-]+/g, "-").slice(0, 100);
  let parent: string | undefined;
  for (const [index, message] of messagesAt(open, ns, leaf.id, onDamage).entries()) {
    for (const event of eventsOfMessage(message, { number: `${lane}/${index + 1}` })) {
      yield { ...event, live: false, sidechain: ns, ...(parent !== undefined && { parent }) };
      parent = event.number;
    }
  }
}

function messagesAt(
  { source, key }: OpenThread,
  ns: string,
  id: string,
  onDamage: (damage: Damage) => void,
): ReturnType<typeof messagesIn> {
  const snapshot = snapshotAt(source, { ns, id, key });
  if (snapshot.why !== undefined) {
    const detail = `checkpoint ${id} is ${snapshot.why}`;
    onDamage({ kind: "bad_record", offset: source.count(ns, id), recovered: 0, detail });
  }
  return messagesIn(snapshot);
}

/** Interrupts, answers to them and errors that wait behind the newest checkpoint. */
function* writeEvents({ source, leaf, key }: OpenThread): Generator<AgentEvent> {
  for (const [index, write] of (leaf === undefined ? [] : source.writes(leaf.id)).entries()) {
    const stored = storedValue(write["type"], write["value"], key);
    const value = "why" in stored ? `(${stored.why})` : stored.value;
    const name = asString(write["channel"])?.replace(/^__|__$/g, "") ?? "write";
    const data = isObject(value) || Array.isArray(value) ? value : { value };
    yield {
      number: `writes/${index + 1}`,
      live: false,
      body: { type: "custom", name: `langgraph/${name}`, data },
    };
  }
}
