import type { SessionEvent } from "../model/event.ts";
import { addTo, type MutableUsage, type Usage } from "../model/usage.ts";
import { usageOf } from "./tokens.ts";

/** All tokens spent by some events; a usage repeated on several events of one message counts once. */
export function totalUsage(events: Iterable<SessionEvent>): Usage {
  const byMessage = new Map<string, Usage>();
  const total: MutableUsage = {};
  for (const event of events) {
    const usage = usageOf(event);
    if (usage === undefined) continue;
    const message = "message" in event ? event.message : undefined;
    if (message === undefined) addTo(total, usage);
    else byMessage.set(message, larger(byMessage.get(message), usage));
  }
  for (const usage of byMessage.values()) addTo(total, usage);
  return total;
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
