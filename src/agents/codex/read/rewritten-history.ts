import { asArray, asNumber, asString, isObject, type JsonObject } from "../../../base/json.ts";
import type { RolloutRecord } from "../record-types.ts";
import { textsOf } from "../typed-text.ts";
import { RecentTurns } from "./recent-turns.ts";
import { rememberedItems } from "./remembered-items.ts";
import { isContext, isReplayable } from "./replayable.ts";

/** Where a record lies: a growing number over all files of the session, and its line. */
export interface Position {
  readonly at: number;
  readonly line: number;
}

/**
 * An item of the history: a record, or with `copy` a part of a compaction record (0 its summary,
 * k the k-th item of its replacement).
 */
export interface Kept extends Position {
  readonly copy?: number;
}

/** A compaction's history so far, and everything rolled back since. */
export interface HistoryState {
  /** What the newest surviving compaction left; undefined if there was none. */
  readonly base: { readonly at: Position; readonly items: readonly Kept[] } | undefined;
  /** Half-open ranges of positions that were rolled back, in order. */
  readonly dead: readonly (readonly [number, number])[];
  /** Per compaction: for each replacement item the record it repeats, where one does. */
  readonly originals: ReadonlyMap<number, readonly (Position | undefined)[]>;
  /** The newest record that changed what came before it; -1 where none did. */
  readonly changedAt: number;
  /** Nothing before the place where the fold began could have changed what is live. */
  readonly sure: boolean;
  /** Every prompt the newest compaction repeats was found. */
  readonly foundAll: boolean;
}

/** Codex keeps this much of the prompts when a compaction has no replacement history. */
const keptPromptTokens = 20_000;

/**
 * Folds records into what Codex would replay: items append, `compacted` replaces, a roll-back drops
 * the last turns. Only prompts are remembered, and of these a bounded number. A `partial` fold begins in
 * the middle of a history and says whether what lies before would have mattered.
 */
export function historyFold(options: { readonly partial?: boolean } = {}): {
  item(item: JsonObject, place: Position): void;
  compacted(payload: JsonObject, place: Position): void;
  rolledBack(payload: JsonObject, place: Position): void;
  assistant(id: string, place: Position): void;
  state(): HistoryState;
} {
  // Of a compaction without a replacement the kept prompts are the first turns, and are listed when they are asked for.
  let base: { at: Position; items: Kept[] | "turns" } | undefined;
  const turns = new RecentTurns();
  let dead: [number, number][] = [];
  let contextFrom: number | undefined;
  let changedAt = -1;
  let exact = options.partial !== true;
  let sure = true;
  let foundAll = true;
  const known = rememberedItems();
  const originals = new Map<number, readonly (Position | undefined)[]>();

  return {
    item(item, place) {
      if (!isReplayable(item)) return;
      if (isContext(item)) {
        contextFrom ??= place.at;
        return;
      }
      if (isTurn(item)) {
        const promptTokens = tokensOf(item);
        const cut = turns.length === 0 ? place.at : (contextFrom ?? place.at);
        turns.push({ cut, kept: place, ...(promptTokens !== undefined && { promptTokens }) });
        if (item["role"] === "user") known.add(item, place);
      }
      contextFrom = undefined;
    },
    assistant(id, place) {
      contextFrom = undefined;
      known.addId(id, place);
    },
    compacted(payload, place) {
      changedAt = place.at;
      contextFrom = undefined;
      const replacement = payload["replacement_history"];
      if (Array.isArray(replacement)) {
        const items = replacement.filter(isObject);
        const message = asString(payload["message"]) ?? "";
        const summary = summaryIndex(items, message);
        const repeated = known.match(items, place.at);
        originals.set(place.at, repeated);
        exact = true;
        foundAll = items.every(
          (item, index) => index === summary || repeated[index] !== undefined || !isPrompt(item),
        );
        const kept: Kept[] = [];
        base = { at: place, items: kept };
        turns.clear();
        if (summary === undefined && message === "") kept.push({ ...place, copy: 0 });
        for (const [index, item] of items.entries()) {
          const original = index === summary ? undefined : repeated[index];
          const one = original ?? { ...place, copy: index === summary ? 0 : index + 1 };
          const inBase = kept.push(one) - 1;
          if (!isReplayable(item) || !isTurn(item) || isContext(item)) continue;
          const promptTokens = index === summary ? undefined : tokensOf(item);
          const turn = { cut: place.at + 1, kept: one, inBase };
          turns.push({ ...turn, ...(promptTokens !== undefined && { promptTokens }) });
        }
      } else {
        const tokens = turns.keepPrompts(keptPromptTokens);
        exact ||= tokens >= keptPromptTokens;
        sure &&= exact;
        base = { at: place, items: "turns" };
        turns.push({ cut: place.at + 1, kept: { ...place, copy: 0 } });
        turns.inBase = turns.length;
      }
      dead = [];
    },
    rolledBack(payload, place) {
      changedAt = place.at;
      contextFrom = undefined;
      const count = asNumber(payload["num_turns"]) ?? 0;
      const first = Math.max(0, turns.length - Math.max(0, Math.floor(count)));
      // Of the first turn seen it is not known where its context begins.
      sure &&= exact || first > 0;
      const turn = turns.at(first);
      if (turn === undefined) return;
      const from = first < turns.inBase ? base!.at.at + 1 : turn.cut;
      while (dead.length > 0 && dead.at(-1)![0] >= from) dead.pop();
      dead.push([from, place.at]);
      if (turn.inBase !== undefined && base?.items !== "turns") base?.items.splice(turn.inBase);
      turns.cut(first);
    },
    state: () => {
      const items = base?.items === "turns" ? turns.keptInBase() : (base?.items ?? []);
      const found = base && { at: base.at, items };
      return { base: found, dead, originals, changedAt, sure, foundAll };
    },
  };
}

/** Whether an item is where a person's turn begins: roll-backs count these. */
function isTurn(item: JsonObject): boolean {
  if (item["type"] === "agent_message") return true;
  return item["type"] === "message" && item["role"] === "user";
}

/** Whether an item is a person's prompt, which a compaction repeats. */
function isPrompt(item: JsonObject): boolean {
  return item["type"] === "message" && item["role"] === "user" && !isContext(item);
}

/** Codex's own estimate: a token per four bytes; undefined for what no person wrote. */
function tokensOf(item: JsonObject): number | undefined {
  if (item["type"] !== "message") return undefined;
  return Math.ceil(Buffer.byteLength(textsOf(item).join("")) / 4);
}

/** Which replacement item is the summary: the last one that says what the record's message says. */
export function summaryIndex(items: readonly JsonObject[], message: string): number | undefined {
  if (message === "") return undefined;
  const index = items.findLastIndex((item) => textsOf(item).join("") === message);
  return index < 0 ? undefined : index;
}

/** Whether a record changes what is live of those before it. */
export function rewritesHistory(record: Pick<RolloutRecord, "type" | "inner">): boolean {
  return record.type === "compacted" || record.inner === "thread_rolled_back";
}

/** The items of a compaction that stand for the history before it. */
export function replacementItems(record: RolloutRecord): readonly JsonObject[] {
  return asArray(record.payload["replacement_history"]).filter(isObject);
}
