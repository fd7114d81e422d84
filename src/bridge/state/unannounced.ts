import type { AgentHooks } from "../../agents/hooks-contract.ts";
import type { BridgeEvent } from "../../model/bridge-event.ts";
import type { State } from "./state.ts";

/**
 * A prompt with the compaction that happened before it, where its agent announces none. Only prompts are looked
 * at: at them what the compaction took away can be given back.
 */
export function withUnannounced(
  event: BridgeEvent,
  { before, hooks }: { readonly before: State; readonly hooks: AgentHooks | undefined },
): BridgeEvent {
  const transcript = event.transcript ?? before.transcript;
  if (event.kind !== "prompt" || transcript === undefined) return event;
  // What was counted in another file says nothing of this one.
  const known = transcript === before.transcript ? (before.transcriptBytes ?? 0) : 0;
  const found = hooks?.compactionIn?.(transcript, known);
  if (found === undefined) return event;
  const { compaction, bytes } = found;
  const isNew = compaction !== undefined && compaction !== before.compaction;
  return { ...event, transcriptBytes: bytes, ...(isNew && { compaction }) };
}
