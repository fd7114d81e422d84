import assert from "node:assert/strict";
import { type ErrorCode, isRepriseError } from "../base/errors.ts";
import type { EventBody, SessionEvent, SessionStart } from "../model/event.ts";
import type { HeadsFilter, PathRange, ReadRange, Store } from "../store/contract.ts";

/** One thing every store must do. Run each with a fresh, empty store. */
export interface StoreCase {
  readonly name: string;
  run(store: Store): Promise<void>;
}

/** The first event of a session with an id. */
export function startOf(session: string): SessionStart {
  return { type: "session_start", format: 1, session, cwd: "/nowhere" };
}

/** What a person says. */
export function user(content: string): EventBody {
  return { type: "user", content };
}

/** What a model says last in a turn. */
export function answer(content: string): EventBody {
  return { type: "assistant", content, endTurn: true };
}

/** A call of a tool. */
export function tool(call: string, input: unknown): EventBody {
  return { type: "tool_use", call, name: "Read", input };
}

/** What was appended, of an event that was read. */
export function body(event: SessionEvent): EventBody {
  const { id, parent, at, sum, metaAt, recoveredFrom, blobs, ...rest } = event;
  return rest as EventBody;
}

/** The events of a session that a range asks for. */
export async function eventsOf(
  store: Store,
  session: string,
  range?: ReadRange,
): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  for await (const event of store.read(session, range)) events.push(event);
  return events;
}

/** The ids of the sessions that a filter lets through. */
export async function headsOf(store: Store, filter?: HeadsFilter): Promise<string[]> {
  const sessions: string[] = [];
  for await (const head of store.heads(filter)) sessions.push(head.session);
  return sessions;
}

/** The ids along a path. */
export async function pathOf(store: Store, session: string, range?: PathRange): Promise<number[]> {
  const ids: number[] = [];
  for await (const { id } of store.path(session, range)) ids.push(id);
  return ids;
}

/** Fails unless an act is refused with a code; gives the error. */
export async function refuses(
  code: ErrorCode,
  act: () => Promise<unknown>,
): Promise<{ readonly details: Readonly<Record<string, unknown>> }> {
  try {
    await act();
  } catch (error) {
    if (isRepriseError(error, code)) return error;
    throw error;
  }
  assert.fail(`expected ${code}`);
}
