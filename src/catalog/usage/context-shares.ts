import type { AgentEvent } from "../../agents/contract.ts";
import type { MessageBlock } from "../../context/messages.ts";
import { messageTokens } from "../../context/tokens.ts";
import { blocksOf, type Content } from "../../model/block.ts";
import type { EventBody } from "../../model/event.ts";
import { contextTokens } from "../../model/usage.ts";

/** What a session's context is made of. */
export const shareNames = [
  "system",
  "user",
  "assistant",
  "thinking",
  "tool calls",
  "tool results",
  "summary",
  "other",
] as const;
/** One of these names. */
export type ShareName = (typeof shareNames)[number];

/** One part of the context, its tokens estimated. */
export interface ContextShare {
  readonly name: ShareName;
  readonly tokens: number;
  readonly events: number;
}

/** Where the context of a session went. */
export interface ContextShares {
  readonly estimatedTokens: number;
  readonly shares: readonly ContextShare[];
  /** Tools by what their calls and results take, the largest first. */
  readonly tools: readonly {
    readonly name: string;
    readonly tokens: number;
    readonly calls: number;
  }[];
  /** How full the context was at the last message that states it. */
  readonly recordedTokens?: number;
}

/** Adds up what each kind of event of the live conversation takes, estimated from its characters. */
export async function contextShares(events: AsyncIterable<AgentEvent>): Promise<ContextShares> {
  const shares = new Map<ShareName, { tokens: number; events: number }>();
  const tools = new Map<string, { tokens: number; calls: number }>();
  const nameOfCall = new Map<string, string>();
  let recordedTokens: number | undefined;
  for await (const { body, sidechain } of events) {
    // A subagent has a context of its own.
    const name = sidechain === undefined ? shareOf(body) : undefined;
    if (name === undefined) continue;
    const tokens = messageTokens({ role: "user", content: blocksIn(body), events: [] });
    const share = shares.get(name) ?? { tokens: 0, events: 0 };
    shares.set(name, { tokens: share.tokens + tokens, events: share.events + 1 });
    if (body.type === "tool_use") nameOfCall.set(body.call, body.name);
    if (body.type === "tool_use" || body.type === "tool_result") {
      const tool = nameOfCall.get(body.call) ?? "unknown";
      const known = tools.get(tool) ?? { tokens: 0, calls: 0 };
      const calls = known.calls + (body.type === "tool_use" ? 1 : 0);
      tools.set(tool, { tokens: known.tokens + tokens, calls });
    }
    const usage = "usage" in body ? body.usage : undefined;
    if (usage !== undefined) recordedTokens = contextTokens(usage) || recordedTokens;
    else if (body.type === "compaction") recordedTokens = undefined;
  }
  const list = shareNames.flatMap((name) => {
    const share = shares.get(name);
    return share === undefined ? [] : [{ name, ...share }];
  });
  return {
    estimatedTokens: list.reduce((sum, { tokens }) => sum + tokens, 0),
    shares: list,
    tools: [...tools]
      .map(([name, sums]) => ({ name, ...sums }))
      .sort((a, b) => b.tokens - a.tokens || (a.name < b.name ? -1 : 1)),
    ...(recordedTokens !== undefined && { recordedTokens }),
  };
}

/** Events that never reach a model have no share. */
function shareOf(body: EventBody): ShareName | undefined {
  switch (body.type) {
    case "system":
    case "user":
    case "assistant":
    case "thinking":
      return body.type;
    case "tool_use":
      return "tool calls";
    case "tool_result":
      return "tool results";
    case "compaction":
      return "summary";
    case "hook":
      return body.content === undefined ? undefined : "other";
    default:
      return undefined;
  }
}

function blocksIn(body: EventBody): readonly MessageBlock[] {
  switch (body.type) {
    case "system":
    case "user":
    case "assistant":
    case "tool_result":
    case "hook":
      return known(body.content ?? "");
    case "thinking":
      return known(body.redacted ? (body.signature ?? "") : body.content);
    case "tool_use":
      return [{ type: "tool_use", call: body.call, name: body.name, input: body.input }];
    case "compaction":
      return known(body.summary);
    default:
      return [];
  }
}

/** Foreign blocks nobody understands have no honest size. */
function known(content: Content): readonly MessageBlock[] {
  return blocksOf(content).filter((block) => block.type !== "opaque");
}
