import { fstatSync } from "node:fs";
import { ByteWindow } from "../../../base/byte-window.ts";
import { parseObject } from "../../../base/json.ts";
import { proofBefore } from "../../../jsonl/proof.ts";
import type { Damage } from "../../../model/damage.ts";
import { eventNumber } from "../../../model/event-number.ts";
import { Batches, type UnknownCounts } from "../../batches.ts";
import type { AgentEvent, ReadBatch, ReadOptions } from "../../contract.ts";
import { wholeElements } from "../../json-elements.ts";
import { headerOf, type JsonForm } from "../json-forms.ts";
import { countUnknownIn } from "../record-types.ts";
import { draftsOf } from "./bodies.ts";
import { CallPairing } from "./call-pairing.ts";
import { entryKind } from "./message-index.ts";
import { eventOf } from "./numbering.ts";
import { sideBody } from "./side-records.ts";

/** Reads a file that is one JSON value; one that is cut short or damaged gives every message that is whole. */
export function* readJsonFile(
  fd: number,
  options: ReadOptions & { readonly form: JsonForm },
): Generator<ReadBatch> {
  const size = fstatSync(fd).size;
  const sample = `${size} ${proofBefore(fd, size)}`;
  const from = options.from === undefined ? undefined : parseObject(options.from);
  // The program rewrites the file whole, so any change means to begin again.
  const same = from?.["sample"] === sample;
  const skip = same && typeof from?.["done"] === "number" ? from["done"] : 0;
  const batches = new Batches({ restart: options.from !== undefined && !same });
  let done = 0;
  const here = (): string => JSON.stringify({ sample, done });
  let kept: AgentEvent[] = [];
  const keep = options.last === undefined ? undefined : Math.max(0, Math.floor(options.last));
  const onDamage = (damage: Damage): void => {
    if (skip === 0) batches.damage(damage);
  };
  for (const event of messageEvents(new ByteWindow(fd, size), {
    form: options.form,
    unknown: batches.unknown,
    onDamage,
  })) {
    if (!event.live && !options.allBranches) continue;
    done += 1;
    if (done <= skip) continue;
    if (keep !== undefined) {
      kept.push(event);
      if (kept.length > keep * 2 + 256) kept = kept.slice(kept.length - keep);
      continue;
    }
    batches.event(event);
    if (batches.isFull) yield batches.take(here());
  }
  if (keep !== undefined)
    for (const event of keep === 0 ? [] : kept.slice(-keep)) batches.event(event);
  if (skip > 0) batches.unknown.take();
  yield batches.last(here());
}

function* messageEvents(
  window: ByteWindow,
  options: {
    readonly form: JsonForm;
    readonly unknown: UnknownCounts;
    readonly onDamage: (damage: Damage) => void;
  },
): Generator<AgentEvent> {
  const { form, unknown, onDamage } = options;
  const pairing = new CallPairing();
  let parent: string | undefined;
  let ordinal = 0;
  if (!form.replayAll) {
    const header = headerOf(window, form);
    const body = header === undefined ? undefined : sideBody(header, entryKind.header);
    if (body !== undefined) {
      yield { number: "0", live: true, body, native: header };
      parent = "0";
    }
  }
  for (const { element, offset, length } of wholeElements(window, { ...form, onDamage })) {
    ordinal += 1;
    const message = form.message(element, ordinal);
    countUnknownIn(message, unknown);
    const place = { offset, length };
    const drafts = draftsOf(message, { replayAll: form.replayAll, place, onDamage });
    if (
      drafts.length === 0 &&
      message["content"] === undefined &&
      message["toolCalls"] === undefined
    ) {
      onDamage({
        kind: "bad_record",
        offset,
        length,
        recovered: 1,
        detail: "a message without content",
      });
    }
    for (const [index, draft] of drafts.entries()) {
      const body = draft.live ? pairing.admit(draft.body) : draft.body;
      if (body === undefined) continue;
      const number = eventNumber(ordinal, index + 1);
      const event = { ...eventOf({ ...draft, body }, { number, message }), native: element };
      yield event.live && parent !== undefined ? { ...event, parent } : event;
      if (event.live) parent = number;
    }
  }
}
