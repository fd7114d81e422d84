import { isoTime } from "../../../base/clock.ts";
import { fingerprint } from "../../../base/fingerprint.ts";
import type { Damage } from "../../../model/damage.ts";
import { eventNumber } from "../../../model/event-number.ts";
import type { AgentEvent } from "../../contract.ts";
import { bodiesOf, type ThreadMessage } from "./bodies.ts";
import { messagesIn, type Snapshot, snapshotAt } from "./snapshot.ts";
import type { CheckpointRow, ThreadSource } from "./thread-source.ts";

/** A thread at its newest checkpoint. */
export interface OpenThread {
  readonly source: ThreadSource;
  readonly thread: string;
  readonly key: string | undefined;
  /** Every checkpoint of the whole graph that no other follows, the newest first. */
  readonly leaves: readonly CheckpointRow[];
  readonly leaf: CheckpointRow | undefined;
  readonly snapshot: Snapshot;
  readonly messages: readonly ThreadMessage[];
  readonly damage: readonly Damage[];
  /** A print of the first so many messages. */
  printAt(count: number): string;
}

/** Opens a thread: the newest checkpoint is decoded, nothing else. One that cannot be is passed over for the one before. */
export function openThread(
  source: ThreadSource,
  { thread, key }: { readonly thread: string; readonly key: string | undefined },
): OpenThread {
  const leaves = source.leaves("");
  const damage: Damage[] = [];
  let leaf = leaves[0];
  let snapshot: Snapshot = {};
  for (let tries = 0; leaf !== undefined && tries < 8; tries += 1) {
    snapshot = snapshotAt(source, { ns: "", id: leaf.id, key });
    if (snapshot.why === undefined) break;
    const offset = source.count("", leaf.id);
    damage.push({
      kind: "bad_record",
      offset,
      recovered: 0,
      detail: `checkpoint ${leaf.id} is ${snapshot.why}`,
    });
    const { parent } = leaf;
    if (parent === undefined) break;
    leaf = [...source.rows("")].find(({ id }) => id === parent);
  }
  const messages = messagesIn(snapshot);
  return {
    source,
    thread,
    key,
    leaves,
    leaf,
    snapshot,
    messages,
    damage,
    printAt: (count) =>
      fingerprint(JSON.stringify(messages.slice(0, count).map(({ native }) => native))),
  };
}

/** The events of the live messages from one on; of a thread without messages its state. */
export function* threadEvents(open: OpenThread, from: number): Generator<AgentEvent> {
  const { messages, snapshot, thread, leaf } = open;
  const at = isoTime(snapshot.ts);
  if (messages.length === 0) {
    if (snapshot.values === undefined || leaf === undefined) return;
    const content = `State of ${thread}\n${JSON.stringify(snapshot.values, null, 2)}`;
    yield {
      number: "1",
      uuid: leaf.id,
      live: true,
      ...(at !== undefined && { at }),
      body: { type: "note", content },
      native: snapshot.values,
    };
    return;
  }
  let parent = from === 0 ? undefined : lastNumber(from, messages[from - 1]!);
  for (let index = from; index < messages.length; index += 1) {
    const last = index === messages.length - 1 ? at : undefined;
    for (const event of eventsOfMessage(messages[index]!, {
      number: String(index + 1),
      at: last,
    })) {
      yield { ...event, live: true, ...(parent !== undefined && { parent }) };
      parent = event.number;
    }
  }
}

/** The number of the last event of a message. */
export function lastNumber(record: number | string, message: ThreadMessage): string {
  return eventNumber(record, bodiesOf(message).length);
}

/** The events of one message under a number of its own. */
export function eventsOfMessage(
  message: ThreadMessage,
  { number, at }: { readonly number: string; readonly at?: string | undefined },
): readonly Omit<AgentEvent, "live">[] {
  const id = message.fields["id"];
  const slash = number.lastIndexOf("/") + 1;
  return bodiesOf(message).map((body, index) => ({
    number: number.slice(0, slash) + eventNumber(number.slice(slash), index + 1),
    ...(index === 0 && typeof id === "string" && id !== "" && { uuid: id }),
    ...(at !== undefined && { at }),
    body,
    native: message.native,
  }));
}
