import type { AgentEvent } from "../../agents/contract.ts";
import type { FoundSession } from "../../agents/newest-sessions.ts";
import { throwIfUnread } from "../../agents/session-file.ts";
import { timeOf } from "../../base/clock.ts";
import { limits } from "../../base/limits.ts";
import { plainText } from "../../model/block.ts";
import { isPrompt } from "../../model/prompt.ts";
import { oneLine } from "../../model/text.ts";
import { contextTokens } from "../../model/usage.ts";

/** An event of a session as a checkpoint is bound to it. */
export interface Moment {
  readonly event: string;
  readonly uuid?: string;
  readonly atMs?: number;
  /** What a person said in it. */
  readonly prompt?: string;
  /** The call that it makes. */
  readonly call?: string;
  /** Messages of the session up to here, and how full the context was. */
  readonly messages: number;
  readonly tokens?: number;
}

/** The moments of a session in order; of abandoned branches too where asked for. */
export async function* momentsOf(
  { agent, ref }: Pick<FoundSession, "agent" | "ref">,
  options: { readonly allBranches?: boolean } = {},
): AsyncGenerator<Moment> {
  const told = new Set<string>();
  let tokens: number | undefined;
  let messages = 0;
  for await (const batch of agent.read(ref, options)) {
    throwIfUnread(ref, batch.damage);
    for (const event of batch.events) {
      if (event.sidechain !== undefined) continue;
      if (isNewMessage(event, told)) messages += 1;
      tokens = tokensIn(event) ?? tokens;
      yield momentOf(event, { messages, tokens });
    }
  }
}

function momentOf(
  { number, uuid, at, body }: AgentEvent,
  counts: { readonly messages: number; readonly tokens: number | undefined },
): Moment {
  const atMs = timeOf(at);
  return {
    event: number,
    messages: counts.messages,
    ...(counts.tokens !== undefined && { tokens: counts.tokens }),
    ...(uuid !== undefined && { uuid }),
    ...(atMs !== undefined && { atMs }),
    ...(isPrompt(body) && { prompt: oneLine(plainText(body.content), limits.boundPromptChars) }),
    ...(body.type === "tool_use" && { call: body.call }),
  };
}

/** A model's message may be several events, which share its name. */
function isNewMessage({ body }: AgentEvent, told: Set<string>): boolean {
  if (body.type === "user") return true;
  if (body.type !== "assistant" && body.type !== "tool_use") return false;
  if (body.message === undefined) return body.type === "assistant";
  if (told.has(body.message)) return false;
  told.add(body.message);
  return true;
}

function tokensIn({ body }: AgentEvent): number | undefined {
  if (body.type !== "assistant" && body.type !== "tool_use") return undefined;
  return body.usage === undefined ? undefined : contextTokens(body.usage);
}
