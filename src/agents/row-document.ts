import { createHash } from "node:crypto";
import { checkReadable } from "../base/open-file.ts";
import type { Damage } from "../model/damage.ts";
import { Batches } from "./batches.ts";
import type { AgentEvent, ReadBatch, ReadOptions, SessionRef } from "./contract.ts";
import type { DocumentPart } from "./document.ts";
import { toldUnread } from "./session-file.ts";

/** One thing that rows say. */
export interface RowPart extends DocumentPart {
  /** Not part of what the program would continue from; live unless false. */
  readonly live?: boolean;
  /** What it follows, if not the part before it. */
  readonly parent?: string;
}

/** Makes the parts of a session anew, from the first row on. */
export type Parts = (onDamage: (damage: Damage) => void) => Iterable<RowPart>;

/**
 * The events of a session that is made of rows or of several files: handed out as they are read, so that memory holds one
 * batch. A cursor is a print of all of them: if they changed, reading begins anew.
 */
export function readParts(
  ref: SessionRef,
  options: ReadOptions,
  parts: Parts,
): AsyncGenerator<ReadBatch> {
  return toldUnread(batches(ref, options, parts), options);
}

function* batches(ref: SessionRef, options: ReadOptions, parts: Parts): Generator<ReadBatch> {
  checkReadable(ref.path);
  const { from, last, allBranches = false } = options;
  if (from !== undefined && printOf(parts) === from) {
    yield { events: [], damage: [], cursor: from };
    return;
  }
  const out = new Batches({ restart: from !== undefined });
  const onDamage = (damage: Damage): void => out.damage(damage);
  const hash = createHash("sha256");
  const ends: AgentEvent[] = [];
  for (const event of chained(parts(onDamage))) {
    hash.update(seen(event));
    if (!event.live && !allBranches) continue;
    if (last !== undefined && from === undefined) {
      ends.push(event);
      if (ends.length > last) ends.shift();
      continue;
    }
    out.event(event);
    if (out.isFull) yield out.take("");
  }
  for (const event of ends) out.event(event);
  yield out.last(cursorOf(hash.digest("hex")));
}

function printOf(parts: Parts): string {
  const hash = createHash("sha256");
  for (const event of chained(parts(() => undefined))) hash.update(seen(event));
  return cursorOf(hash.digest("hex"));
}

function cursorOf(hash: string): string {
  return `parts1 ${hash.slice(0, 32)}`;
}

function seen({ number, at, live, body }: AgentEvent): string {
  return JSON.stringify([number, at, live, body]);
}

function* chained(parts: Iterable<RowPart>): Generator<AgentEvent> {
  let before: string | undefined;
  let place = 0;
  for (const { number: own, at, body, native, live = true, parent = before } of parts) {
    place += 1;
    const number = own ?? String(place);
    yield {
      number,
      ...(parent !== undefined && { parent }),
      ...(at !== undefined && { at }),
      live,
      body,
      ...(native !== undefined && { native }),
    };
    before = number;
  }
}
