import { timeOf } from "../base/clock.ts";
import { asString, isObject } from "../base/json.ts";
import { journalEntries } from "../log/read-journal.ts";
import type { SessionHead } from "../model/head.ts";
import { nameOfHead } from "../model/head-name.ts";
import type { Home } from "./home.ts";

/** The kind of the journal's entries about conversions. */
export const conversionKind = "convert";

/** What the journal says of a session that was written from another. */
export interface Copy {
  /** `agent:session` of the one it was written from. */
  readonly of: string;
  readonly at: string;
}

/** All sessions that were written from others, by `agent:session`. */
export function copiesOf(home: Home): ReadonlyMap<string, Copy> {
  const copies = new Map<string, Copy>();
  for (const { at, data } of journalEntries(home.journal, [conversionKind])) {
    const [of, key] = [nameIn(data["from"]), nameIn(data["to"])];
    if (of !== undefined && key !== undefined) copies.set(key, { of, at });
  }
  return copies;
}

/** The head of a copy: it names what it was written from, and is as new as its writing, though what was said in it is old. */
export function asCopy(head: SessionHead, copies: ReadonlyMap<string, Copy>): SessionHead {
  const copy = copies.get(nameOfHead(head));
  if (copy === undefined) return head;
  const isOlder = (timeOf(head.updatedAt) ?? 0) < (timeOf(copy.at) ?? 0);
  return { ...head, copyOf: copy.of, ...(isOlder && { updatedAt: copy.at }) };
}

function nameIn(data: unknown): string | undefined {
  if (!isObject(data)) return undefined;
  const [agent, session] = [asString(data["agent"]), asString(data["session"])];
  return agent === undefined || session === undefined ? undefined : `${agent}:${session}`;
}
