import { leadsAt, type Posting } from "./postings.ts";
import { rarity } from "./rank.ts";

/*
 * Which of very many events are worth being looked at: those with the rarest words, and those beside them. A question of common
 * words meets a good part of all turns; to look at each of them took over a second on 77 MB, more than ten times as long.
 */

/** A thing that is looked for: where it stands, and what its rarity counts. */
export interface Thing {
  readonly postings: readonly Posting[];
  readonly weight: number;
  /** It finds nothing by itself: it is made of other things. */
  readonly onlyAdds: boolean;
}

/** The events to look at, in the order of their numbers. */
export interface Promising {
  readonly events: readonly number[];
  /** Others have something of it too. */
  readonly isCut: boolean;
  /** How many events of all have each thing. */
  readonly having: readonly number[];
}

const besideShare = 0.5;
const leadWorth = 2.5;
/** In how many steps events are sorted by their worth. */
const steps = 4096;

/** The events that have any of some things; of more than `most` those with the rarest things, and those beside them. */
export function promising(
  things: readonly Thing[],
  { most, events: all }: { readonly most: number; readonly events: number },
): Promising {
  const last = things
    .flatMap(({ postings }) => postings.map(({ events }) => events.at(-1) ?? 0))
    .reduce((max, event) => Math.max(max, event), 0);
  const worth = new Float32Array(last + 2);
  const marks = new Uint8Array(last + 2);
  const having = things.map((thing) => addWorth(worth, marks, { thing, all }));
  const totals = new Float32Array(last + 1);
  let found = 0;
  let highest = 0;
  for (let event = 1; event <= last; event += 1) {
    if (worth[event] === 0) continue;
    found += 1;
    const total = worth[event]! + besideShare * (worth[event - 1]! + worth[event + 1]!);
    totals[event] = total;
    if (total > highest) highest = total;
  }
  const isCut = found > most;
  const least = isCut ? leastWorth(totals, { highest, most }) : Number.MIN_VALUE;
  const events: number[] = [];
  for (let event = 1; event <= last; event += 1) if (totals[event]! >= least) events.push(event);
  // Of many that are alike the newest are taken.
  return { events: isCut ? events.slice(-most) : events, isCut, having };
}

/** What an event must be worth so that about `most` are worth it; sorting all of them would take too long. */
function leastWorth(
  totals: Float32Array,
  { highest, most }: { readonly highest: number; readonly most: number },
): number {
  const step = highest / steps;
  const counts = new Uint32Array(steps + 1);
  for (const total of totals) if (total > 0) counts[Math.floor(total / step)]! += 1;
  let least = steps;
  let sum = counts[least]! + counts[least - 1]!;
  for (least -= 1; least > 0 && sum + counts[least - 1]! <= most; least -= 1)
    sum += counts[least - 1]!;
  return least * step;
}

/** Adds what a thing is worth to every event that has it, once; says how many have it. */
function addWorth(
  worth: Float32Array,
  marks: Uint8Array,
  { thing, all }: { readonly thing: Thing; readonly all: number },
): number {
  const { postings, weight, onlyAdds } = thing;
  let having = 0;
  for (const { events } of postings)
    for (const event of events) {
      if (marks[event] === 0) having += 1;
      marks[event] = 1;
    }
  const rare = onlyAdds ? 0 : weight * rarity(having, all);
  for (const posting of postings)
    posting.events.forEach((event, at) => {
      if (marks[event] === 1) worth[event]! += rare;
      if (leadsAt(posting, at)) worth[event]! += leadWorth;
      marks[event] = 0;
    });
  return having;
}
