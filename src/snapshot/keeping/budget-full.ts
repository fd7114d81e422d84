import { isRepriseError, RepriseError } from "../../base/errors.ts";
import { asNumber } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import type { EventId } from "../../model/event.ts";
import type { Home } from "../../store/home.ts";
import { allCheckpoints, type Checkpoint } from "../checkpoint.ts";
import { SnapshotStore } from "../snapshot-store.ts";
import { budgetOf } from "./budget.ts";
import { NeededContent } from "./needed-content.ts";
import { isLabelled } from "./thin.ts";
import { type TidyOptions, tidyCheckpoints } from "./tidy.ts";

/** How much of the budget is made free for a capture that finds no room: first some, then all that has no label. */
const freedShares = [0.25, 1];

/**
 * Does something that captures files. Where the budget has no room for them, older checkpoints without a label go; where
 * labelled ones fill it, it throws `budget_full` with what to delete. The folder must not be held.
 */
export function withRoom<T>(home: Home, work: () => T, options: Pick<TidyOptions, "keep"> = {}): T {
  for (const share of freedShares) {
    try {
      return work();
    } catch (error) {
      if (!isRepriseError(error, "budget_full")) throw error;
      tidyCheckpoints(home, { ...options, roomBytes: budgetOf(home).budgetBytes * share });
    }
  }
  try {
    return work();
  } catch (error) {
    if (!isRepriseError(error, "budget_full")) throw error;
    throw refusal(home, asNumber(error.details["neededBytes"]) ?? 0);
  }
}

function refusal(home: Home, neededBytes: number): RepriseError {
  const { budgetBytes, usedBytes } = budgetOf(home);
  const labelled = bytesAlone(new SnapshotStore(home), allCheckpoints(home).filter(isLabelled));
  const shown = labelled.slice(0, limits.candidates);
  const [most] = shown;
  return new RepriseError(
    "budget_full",
    `Checkpoints take ${sizeSaid(usedBytes)} of the ${sizeSaid(budgetBytes)} they may; this one needs ${sizeSaid(neededBytes)} or more.`,
    {
      hint:
        most === undefined
          ? "Name large folders that need no checkpoint in a file `.repriseignore`."
          : `Delete labelled checkpoints that you no longer need: ${shown.map(shownSize).join(", ")}: \`reprise checkpoint delete ${most.number}\`.`,
      details: { budgetBytes, usedBytes, neededBytes, labelled: shown },
    },
  );
}

/** What one checkpoint alone needs. */
export interface AloneBytes {
  readonly number: EventId;
  readonly label?: string;
  readonly bytes: number;
}

/** What no other of some checkpoints needs of each: so much at least is free when it goes. The most first. */
export function bytesAlone(
  store: SnapshotStore,
  checkpoints: readonly Checkpoint[],
): readonly AloneBytes[] {
  const names = checkpoints.map((one) => {
    const needed = new NeededContent(store);
    needed.add(one);
    return needed.names;
  });
  const users = new Map<string, number>();
  for (const own of names) for (const name of own) users.set(name, (users.get(name) ?? 0) + 1);
  const aloneBytes = (own: ReadonlySet<string>): number =>
    [...own]
      .filter((name) => users.get(name) === 1)
      .reduce((sum, name) => sum + (store.blobs.sizeOf(name) ?? 0), 0);
  return checkpoints
    .map(({ number, label }, at) => {
      return { number, ...(label !== undefined && { label }), bytes: aloneBytes(names[at]!) };
    })
    .sort((a, b) => b.bytes - a.bytes);
}

function shownSize({ number, label, bytes }: AloneBytes): string {
  return `${number} (${JSON.stringify(label ?? "")}, ${sizeSaid(bytes)})`;
}

function sizeSaid(bytes: number): string {
  const [unit, name] = bytes < 1024 * 1024 ? [1024, "KB"] : [1024 * 1024, "MB"];
  return `${Math.ceil(bytes / unit).toLocaleString("en")} ${name}`;
}
