import type { AgentEvent } from "../agents/contract.ts";
import { textKey } from "../base/text-key.ts";
import type { EventText } from "./event-text.ts";

const edgeChars = 512;

/**
 * A number that is equal for copies of one event, whichever file they lie in: same instant, same kind,
 * same text. Undefined where the agent keeps no time, because then two equal events may be two.
 */
export function eventKey(event: AgentEvent, { kind, text }: EventText): number | undefined {
  if (event.at === undefined) return undefined;
  const edges =
    text.length <= 2 * edgeChars ? text : text.slice(0, edgeChars) + text.slice(-edgeChars);
  return textKey(`${event.at}\n${kind}\n${text.length}\n${edges}`);
}
