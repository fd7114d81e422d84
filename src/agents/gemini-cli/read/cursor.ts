import { hashText } from "../../../base/hash.ts";
import { asArray, asNumber, asString, isObject, parseObject } from "../../../base/json.ts";
import type { Cursor } from "../../contract.ts";
import type { Emitted } from "./events.ts";

/** How many messages and calls a cursor remembers: a message is completed right after it was begun. */
const remembered = 16;

/** A message of which events were handed out, by hashes. */
export interface SeenMessage {
  readonly id: number;
  readonly keys: readonly number[];
}

/** Where a reader stands in a line file, and what it must know of what it has handed out. */
export interface LineCursor {
  readonly end: number;
  readonly line: number;
  readonly open: boolean;
  /** A hash of bytes at the start and before `end`: another value means the file was rewritten. */
  readonly sample: string;
  /** Set inside a pass: so many events of this pass were handed out. */
  readonly done?: number;
  readonly seen: readonly SeenMessage[];
  readonly answered: readonly string[];
  /** The newest time of a message; an older one under an unknown id belongs to an old message. */
  readonly at?: string;
  readonly parent?: string;
}

/** A cursor as the string that callers keep. */
export function encodeCursor(cursor: LineCursor): Cursor {
  return JSON.stringify({ v: 2, ...cursor });
}

/** The cursor in a string, or undefined if it is not one of ours. */
export function decodeCursor(text: Cursor): LineCursor | undefined {
  const value = parseObject(text);
  const end = countIn(value?.["end"]);
  const line = countIn(value?.["line"]);
  const sample = asString(value?.["sample"]);
  if (value?.["v"] !== 2 || end === undefined || line === undefined || sample === undefined) {
    return undefined;
  }
  const done = countIn(value["done"]);
  const at = asString(value["at"]);
  const parent = asString(value["parent"]);
  return {
    end,
    line,
    open: value["open"] === true,
    sample,
    ...(done === undefined ? {} : { done }),
    seen: asArray(value["seen"]).flatMap((one) => {
      const id = isObject(one) ? asNumber(one["id"]) : undefined;
      if (id === undefined || !isObject(one)) return [];
      return [{ id, keys: asArray(one["keys"]).filter((key) => typeof key === "number") }];
    }),
    answered: asArray(value["answered"]).filter((call) => typeof call === "string"),
    ...(at === undefined ? {} : { at }),
    ...(parent === undefined ? {} : { parent }),
  };
}

function countIn(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}

/** Remembers the newest messages a reader handed out. */
export class SeenMessages {
  readonly #before: readonly SeenMessage[];
  /** Hashed only when a cursor is made: most messages leave before that. */
  #emitted: Emitted[] = [];
  #at: string | undefined;

  constructor(cursor?: Pick<LineCursor, "seen" | "at">) {
    this.#before = cursor?.seen ?? [];
    this.#at = cursor?.at;
  }

  get at(): string | undefined {
    return this.#at;
  }

  add(emitted: Emitted): void {
    const again = this.#emitted.findIndex((one) => one.id === emitted.id);
    if (again >= 0) this.#emitted.splice(again, 1);
    this.#emitted.push(emitted);
    if (this.#emitted.length > remembered) this.#emitted.shift();
    const { at } = emitted;
    if (at !== undefined && (this.#at === undefined || at > this.#at)) this.#at = at;
  }

  find(id: string): SeenMessage | undefined {
    const hash = hashText(id);
    const now = this.#emitted.find((one) => one.id === id);
    if (now !== undefined) return { id: hash, keys: now.keys.map(hashText) };
    return this.#before.find((one) => one.id === hash);
  }

  /** The part of a cursor that speaks of messages. */
  state(): Pick<LineCursor, "seen" | "at"> {
    const now = this.#emitted.map(({ id, keys }) => ({
      id: hashText(id),
      keys: keys.map(hashText),
    }));
    const before = this.#before.filter((one) => now.every(({ id }) => id !== one.id));
    const seen = [...before, ...now].slice(-remembered);
    return { seen, ...(this.#at === undefined ? {} : { at: this.#at }) };
  }
}

/** How many answered calls a cursor keeps. */
export const rememberedCalls = remembered * 4;
