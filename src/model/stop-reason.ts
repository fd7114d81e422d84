/**
 * Why models stop when they call no tool: the words of the APIs that have another one for calls. Those that say the
 * same in both cases (Gemini's `STOP`, the `completed` of Responses) prove nothing.
 */
const endings: ReadonlySet<string> = new Set([
  "end_turn",
  "stop",
  "stop_sequence",
  "refusal",
  "content_filter",
  "content-filter",
]);

/** Whether a turn is over after a message that stopped for this reason: no call can follow in it. */
export function endsTurn(stopReason: string | undefined): boolean {
  return stopReason !== undefined && endings.has(stopReason);
}
