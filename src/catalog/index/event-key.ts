import type { AgentEvent } from "../../agents/contract.ts";
import { hashText } from "../../base/hash.ts";
import type { EventText } from "./event-text.ts";

const sampleChars = 128;

/**
 * A number that is equal for copies of one event, whichever file they lie in: same instant, same kind,
 * same text. What a subagent took over from its session is a copy too. Undefined where the agent keeps no time, because then two equal events may be two.
 */
export function eventKey(event: AgentEvent, { kind, text }: EventText): number | undefined {
  if (event.at === undefined) return undefined;
  const whose = kind === "delegated" ? "user" : kind;
  return hashText(`${event.at}\n${whose}\n${text.length}\n${sampleOf(text)}`);
}

/** Of a long text its beginning, its middle and its end stand for all of it. */
function sampleOf(text: string): string {
  if (text.length <= 3 * sampleChars) return text;
  const middle = text.length >> 1;
  return (
    text.slice(0, sampleChars) + text.slice(middle, middle + sampleChars) + text.slice(-sampleChars)
  );
}
