import { hashText } from "../../../base/hash.ts";
import { asArray, asNumber, asString, isObject, type JsonObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import type { RolloutRecord } from "../record-types.ts";
import { isContextDeveloperItem, isContextUserItem, textsOf } from "../typed-text.ts";
import { isReplayable } from "./replayable.ts";

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
  /** What the newest surviving compaction left; undefined where there was none. */
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

interface Turn {
  /** Where a roll-back of this turn cuts: its context items go with it. */
  readonly cut: number;
  readonly kept: Kept;
  /** Index in the base, where the turn is part of it. */
  readonly inBase?: number;
  /** Tokens, as Codex estimates them; undefined where it is no prompt of a person. */
  readonly promptTokens?: number;
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
  let base: { at: Position; items: Kept[] } | undefined;
  let turns: Turn[] = [];
  let dead: [number, number][] = [];
  let contextFrom: number | undefined;
  let changedAt = -1;
  let exact = options.partial !== true;
  let sure = true;
  let foundAll = true;
  const known = rememberedItems();
  const originals = new Map<number, readonly (Position | undefined)[]>();

  const pushTurn = (turn: Turn): void => {
    turns.push(turn);
    if (turns.length > 2 * limits.rememberedPrompts) turns = turns.slice(limits.rememberedPrompts);
  };

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
        pushTurn({ cut, kept: place, ...(promptTokens !== undefined && { promptTokens }) });
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
        base = { at: place, items: [] };
        turns = [];
        if (summary === undefined && message === "") base.items.push({ ...place, copy: 0 });
        for (const [index, item] of items.entries()) {
          const original = index === summary ? undefined : repeated[index];
          const kept = original ?? { ...place, copy: index === summary ? 0 : index + 1 };
          const inBase = base.items.push(kept) - 1;
          if (!isReplayable(item) || !isTurn(item) || isContext(item)) continue;
          const promptTokens = index === summary ? undefined : tokensOf(item);
          const turn = { cut: place.at + 1, kept, inBase };
          pushTurn({ ...turn, ...(promptTokens !== undefined && { promptTokens }) });
        }
      } else {
        const prompts = newestPrompts(turns);
        const tokens = prompts.reduce((sum, turn) => sum + (turn.promptTokens ?? 0), 0);
        exact ||= tokens >= keptPromptTokens;
        sure &&= exact;
        const summary = { ...place, copy: 0 };
        base = { at: place, items: [...prompts.map((turn) => turn.kept), summary] };
        turns = prompts.map((turn, inBase) => ({ ...turn, cut: place.at + 1, inBase }));
        pushTurn({ cut: place.at + 1, kept: summary, inBase: prompts.length });
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
      const turn = turns[first];
      if (turn === undefined) return;
      const from = turn.cut;
      while (dead.length > 0 && dead.at(-1)![0] >= from) dead.pop();
      dead.push([from, place.at]);
      if (turn.inBase !== undefined) base?.items.splice(turn.inBase);
      turns.length = first;
    },
    state: () => ({ base, dead, originals, changedAt, sure, foundAll }),
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

function isContext(item: JsonObject): boolean {
  if (item["type"] !== "message") return false;
  if (item["role"] === "user") return isContextUserItem(item);
  return item["role"] === "developer" && isContextDeveloperItem(item);
}

/** Codex's own estimate: a token per four bytes; undefined for what no person wrote. */
function tokensOf(item: JsonObject): number | undefined {
  if (item["type"] !== "message") return undefined;
  return Math.ceil(Buffer.byteLength(textsOf(item).join("")) / 4);
}

function newestPrompts(turns: readonly Turn[]): readonly Turn[] {
  const kept: Turn[] = [];
  let left = keptPromptTokens;
  for (let index = turns.length - 1; index >= 0 && left > 0; index -= 1) {
    const turn = turns[index]!;
    if (turn.promptTokens === undefined) continue;
    kept.push(turn);
    left -= turn.promptTokens;
  }
  return kept.reverse();
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

/** Finds the records that replacement items repeat: by id, else by the whole text. */
function rememberedItems(): {
  add(item: JsonObject, place: Position): void;
  addId(id: string, place: Position): void;
  match(items: readonly JsonObject[], before: number): readonly (Position | undefined)[];
} {
  const byKey = new Map<string, Position[]>();
  const put = (key: string, place: Position): void => {
    const there = byKey.get(key);
    if (there !== undefined) there.push(place);
    else byKey.set(key, [place]);
    // Oldest first out; a forgotten prompt is then read from the compaction's own copy.
    if (byKey.size > 2 * limits.rememberedPrompts) byKey.delete(byKey.keys().next().value!);
  };
  return {
    add(item, place) {
      const id = asString(item["id"]);
      if (id !== undefined) put(`i${id}`, place);
      put(keyOfTexts(item), place);
    },
    addId: (id, place) => put(`i${id}`, place),
    match(items, before) {
      const used = new Set<number>();
      const take = (key: string): Position | undefined => {
        const found = byKey.get(key)?.findLast(({ at }) => at < before && !used.has(at));
        if (found !== undefined) used.add(found.at);
        return found;
      };
      const found = items.map((): Position | undefined => undefined);
      for (let index = items.length - 1; index >= 0; index -= 1) {
        const item = items[index]!;
        if (item["type"] !== "message" || isContext(item)) continue;
        const id = asString(item["id"]);
        found[index] =
          (id === undefined ? undefined : take(`i${id}`)) ??
          (item["role"] === "user" ? take(keyOfTexts(item)) : undefined);
      }
      return found;
    },
  };
}

function keyOfTexts(item: JsonObject): string {
  return `t${hashText(textsOf(item).join("\0"))}`;
}
