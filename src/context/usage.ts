import type { SessionEvent } from "../model/event.ts";
import { addTo, type MutableUsage, type Usage } from "../model/usage.ts";
import { usageOf } from "./tokens.ts";

/** All tokens spent by some events; a usage repeated on several events of one message counts once. */
export function totalUsage(events: Iterable<SessionEvent>): Usage {
  const sum = new UsageSum();
  for (const event of events) sum.add(event);
  return sum.total();
}

/** The same, given the events one by one. */
export class UsageSum {
  readonly #byMessage = new Map<string, Usage>();
  readonly #total: MutableUsage = {};

  add(event: SessionEvent): void {
    const usage = usageOf(event);
    if (usage === undefined) return;
    const message = "message" in event ? event.message : undefined;
    if (message === undefined) addTo(this.#total, usage);
    else this.#byMessage.set(message, larger(this.#byMessage.get(message), usage));
  }

  total(): Usage {
    const total = { ...this.#total };
    for (const usage of this.#byMessage.values()) addTo(total, usage);
    return total;
  }
}

/** While a message streams, its repeated usage only grows. */
function larger(known: Usage | undefined, usage: Usage): Usage {
  if (known === undefined) return usage;
  const result: Record<string, number> = { ...known };
  for (const [key, value] of Object.entries(usage)) {
    if (typeof value === "number") result[key] = Math.max(result[key] ?? 0, value);
  }
  return result;
}
