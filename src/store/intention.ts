import type { PiecePrint } from "../additions/added-piece.ts";
import type { Environment } from "../base/env.ts";
import { failpoint } from "../base/failpoint.ts";
import { holderLife, type LeaseHolder, parseHolder, thisHolder } from "../base/holder.ts";
import { asNumber, asString, isObject, type JsonObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import { record } from "../log/journal.ts";
import { journalEntries } from "../log/read-journal.ts";
import type { EventId } from "../model/event.ts";
import type { Home } from "./home.ts";

/** What a process wrote down that it was about to do, and has not said to be over. */
export interface Intention {
  readonly id: EventId;
  readonly at: string;
  /** What it was about to do, by the kind of entry that would have told of it. */
  readonly does: string;
  readonly data: JsonObject;
  readonly holder: LeaseHolder | undefined;
}

const kind = "intention";

/**
 * Writes down, durably and before anything of it can be seen, what this process is about to do. It is over with the entry
 * that names it in `intention`: the one that says what was done, or the one `concludeIntention` writes.
 */
export function intend(
  home: Home,
  does: string,
  data: JsonObject,
  /** False where what it is about is not synced either. */
  options: { readonly sync?: boolean } = {},
): EventId {
  return record(home.journal, kind, { does, holder: thisHolder(), ...data }, options);
}

/** The kind of entries that end an intention nothing came of. */
export const settledKind = "settled";

/** Says what became of an intention, and what of it had to stay in files that others write to as well. */
export function concludeIntention(
  home: Home,
  intention: EventId,
  did: string,
  left: readonly PiecePrint[] = [],
): void {
  record(home.journal, settledKind, { intention, did, ...(left.length > 0 && { left }) });
}

/** The intentions of processes that are certainly dead, or were silent for long where they cannot be examined. */
export function leftIntentions(home: Home, nowMs = Date.now()): readonly Intention[] {
  const open = new Map<EventId, Intention>();
  for (const { id, at, kind: said, data } of journalEntries(home.journal)) {
    if (said === kind) {
      const holder = isObject(data["holder"])
        ? parseHolder(JSON.stringify(data["holder"]))
        : undefined;
      open.set(id, { id, at, does: asString(data["does"]) ?? "", data, holder });
    } else open.delete(asNumber(data["intention"]) ?? 0);
  }
  return [...open.values()].filter(({ at, holder }) => {
    const life = holder === undefined ? "unknown" : holderLife(holder);
    if (life !== "unknown") return life === "dead";
    return nowMs - Date.parse(at) > limits.silentRunMs;
  });
}

/** Finishes or takes back what an intention left; returns a sentence that says what it did. */
export type Settling = (home: Home, intention: Intention, env: Environment) => Promise<string>;

const settlings = new Map<string, Settling>();

/** Registers how intentions of a kind are settled; each says itself in the journal that they are over. */
export function registerSettling(does: string, settling: Settling): void {
  settlings.set(does, settling);
}

/**
 * Settles what dead processes left, the newest first: what came later may stand upon what came before. What cannot be
 * settled now is reported and stays open.
 */
export async function settleIntentions(
  home: Home,
  { env, tell }: { readonly env: Environment; readonly tell: (sentence: string) => void },
): Promise<{ readonly open: number }> {
  let open = 0;
  for (const intention of leftIntentions(home).toReversed()) {
    const settling = settlings.get(intention.does);
    try {
      if (settling === undefined) throw new Error(`no program here can settle ${intention.does}`);
      tell(await settling(home, intention, env));
      failpoint("settle.concluded");
    } catch (error) {
      open += 1;
      const why = error instanceof Error ? error.message : String(error);
      tell(`What a killed command began (${intention.does}) is not settled yet: ${why}`);
    }
  }
  return { open };
}
