import { asArray, asNumber, asString, isObject, type JsonObject } from "../../../base/json.ts";
import type { Damage } from "../../../model/damage.ts";
import type { EventBody } from "../../../model/event.ts";
import type { Usage } from "../../../model/usage.ts";
import { isThought, partsOf, toolResult, toolUse } from "../../gemini-parts.ts";
import { isDroppedOnResume, piecesOf } from "../typed-text.ts";
import { contentOf, shownText, textOfParts } from "./content.ts";
import { type ToolCall, toolCallOf, withDetails } from "./tool-calls.ts";

/** An event before it has a place: `key` is equal for the same thing said by two versions of a message. */
export interface Draft {
  readonly body: EventBody;
  readonly at?: string;
  readonly live: boolean;
  readonly key: string;
}

/** What is known about a message besides its own fields. */
export interface MessageContext {
  /** It came with a rewritten history, never as a line of its own: there a snapshot is a compaction. */
  readonly rewritten?: boolean;
  /** Everything is replayed, as `/chat resume` does; the rules of `--resume` do not apply. */
  readonly replayAll?: boolean;
  /** Where it lies, and who hears of it where it is too deep to look at. */
  readonly place?: { readonly offset: number; readonly length: number };
  readonly onDamage?: (damage: Damage) => void;
}

const zeroWidthSpace = "\u200b";
const compactionReply = "Got it. Thanks for the additional context!";

/** The events of one message; none where it says nothing, or is too deep to look at. */
export function draftsOf(message: JsonObject, context: MessageContext = {}): readonly Draft[] {
  try {
    return unique(bare(message, context));
  } catch (error) {
    const { offset, length } = context.place ?? { offset: 0, length: 0 };
    context.onDamage?.({ kind: "bad_record", offset, length, recovered: 0, detail: String(error) });
    return [];
  }
}

type Bare = Omit<Draft, "key">;

function bare(message: JsonObject, context: MessageContext): Bare[] {
  const type = message["type"];
  const at = asString(message["timestamp"]);
  const stamp = at === undefined ? {} : { at };
  switch (type) {
    case "user":
      return userBodies(message, context).map(({ body, live }) => ({ body, live, ...stamp }));
    case "gemini":
      return modelDrafts(message).map((draft) => ({ ...stamp, ...draft }));
    case "info":
    case "warning":
    case "error": {
      const content = contentOf(partsOf(message["content"]));
      return [{ body: { type: "note", content }, live: true, ...stamp }];
    }
    default:
      return [
        {
          body: { type: "custom", name: `gemini-cli/${String(type).slice(0, 64)}`, data: message },
          live: false,
          ...stamp,
        },
      ];
  }
}

function userBodies(
  message: JsonObject,
  context: MessageContext,
): readonly { readonly body: EventBody; readonly live: boolean }[] {
  const parts = partsOf(message["content"]);
  const text = textOfParts(parts);
  const isSnapshot = context.rewritten
    ? text.includes("<state_snapshot>") && !isDroppedOnResume(text)
    : text.trimStart().startsWith("<state_snapshot>");
  if (isSnapshot) {
    return [{ body: { type: "compaction", summary: text }, live: true }];
  }
  const live = context.replayAll === true || !isDroppedOnResume(text);
  const bodies: EventBody[] = [];
  let typed: JsonObject[] = [];
  const flush = (): void => {
    if (typed.length === 0) return;
    bodies.push({ type: "user", content: contentOf(typed) });
    typed = [];
  };
  for (const part of parts) {
    const response = part["functionResponse"];
    if (isObject(response)) {
      flush();
      bodies.push(toolResult(response, { from: "gemini-cli" }));
      continue;
    }
    const partText = asString(part["text"]);
    if (partText === undefined) {
      typed.push(part);
      continue;
    }
    for (const piece of piecesOf(partText)) {
      if (piece.injected) {
        flush();
        bodies.push({ type: "user", content: piece.text, injected: true });
      } else if (piece.text !== "") typed.push({ text: withoutGuard(piece.text, message) });
    }
  }
  flush();
  return bodies.map((body) => ({ body, live }));
}

/** A zero-width space guards a prompt that begins with `/` against the drop rule; the true text is shown. */
function withoutGuard(text: string, message: JsonObject): string {
  if (!text.startsWith(zeroWidthSpace)) return text;
  return shownText(message) === text.slice(1) ? text.slice(1) : text;
}

function modelDrafts(message: JsonObject): Bare[] {
  const id = asString(message["id"]);
  const model = asString(message["model"]);
  const stamp = {
    ...(id === undefined ? {} : { message: id }),
    ...(model === undefined ? {} : { model }),
  };
  const parts = partsOf(message["content"]);
  const calls = asArray(message["toolCalls"])
    .filter(isObject)
    .map((entry, ordinal) => toolCallOf(entry, { message: id, ordinal }));
  const drafts: Bare[] = thoughtsOf(message, parts).map(({ text, at }) => ({
    body: { type: "thinking", content: text, ...stamp },
    live: true,
    ...(at === undefined ? {} : { at }),
  }));
  drafts.push(...spokenDrafts(parts, { stamp, calls, id }));
  for (const call of calls) {
    if (call.subagent === undefined) continue;
    drafts.push({ body: call.subagent, live: true });
  }
  for (const call of calls) {
    if (call.result === undefined) continue;
    drafts.push({
      body: withDetails(call.result, call),
      live: true,
      ...(call.at === undefined ? {} : { at: call.at }),
    });
  }
  const usage = usageOf(message["tokens"]);
  if (usage === undefined) return drafts;
  // On the first event, so that a second version of the message, which only adds, keeps it there.
  return drafts.map((draft, index) => (index === 0 ? withUsage(draft, usage) : draft));
}

/** Text and calls in their order: from the parts where they name the calls, else from `toolCalls`. */
function spokenDrafts(
  parts: readonly JsonObject[],
  options: {
    readonly stamp: { readonly message?: string; readonly model?: string };
    readonly calls: readonly ToolCall[];
    readonly id: string | undefined;
  },
): Bare[] {
  const { stamp, calls, id } = options;
  const drafts: Bare[] = [];
  let said: JsonObject[] = [];
  const flush = (): void => {
    if (said.length === 0) return;
    const content = contentOf(said);
    const synthetic = stamp.model === undefined && content === compactionReply;
    const body = {
      type: "assistant",
      content,
      ...stamp,
      ...(synthetic ? { synthetic } : {}),
    } as const;
    drafts.push({ body, live: true });
    said = [];
  };
  let called = 0;
  for (const part of parts) {
    const call = part["functionCall"];
    if (isObject(call)) {
      flush();
      drafts.push({
        body: { ...toolUse(call, { message: id, ordinal: called }), ...stamp },
        live: true,
      });
      called += 1;
    } else if (isObject(part["functionResponse"])) {
      flush();
      drafts.push({
        body: toolResult(part["functionResponse"], { from: "gemini-cli" }),
        live: true,
      });
    } else if (!isThought(part) && part["text"] !== "") said.push(part);
  }
  flush();
  if (called > 0) return drafts;
  for (const call of calls) drafts.push({ body: { ...call.use, ...stamp }, live: true });
  return drafts;
}

function thoughtsOf(
  message: JsonObject,
  parts: readonly JsonObject[],
): readonly { readonly text: string; readonly at?: string }[] {
  const kept = asArray(message["thoughts"]).filter(isObject);
  if (kept.length === 0) {
    return parts.filter(isThought).map((part) => ({ text: asString(part["text"]) ?? "" }));
  }
  return kept.map((thought) => {
    const subject = asString(thought["subject"]) ?? "";
    const description = asString(thought["description"]) ?? "";
    const at = asString(thought["timestamp"]);
    const text = subject === "" ? description : `**${subject}** ${description}`.trimEnd();
    return { text, ...(at === undefined ? {} : { at }) };
  });
}

function withUsage(draft: Bare, usage: Usage): Bare {
  const { body } = draft;
  switch (body.type) {
    case "assistant":
    case "thinking":
    case "tool_use":
      return { ...draft, body: { ...body, usage } };
    default:
      return draft;
  }
}

/** The tokens of a message; what was cached is counted apart, as it is part of the program's `input`. */
export function usageOf(tokens: unknown): Usage | undefined {
  if (!isObject(tokens)) return undefined;
  const count = (name: string): number => asNumber(tokens[name]) ?? 0;
  const cached = count("cached");
  return {
    input: Math.max(0, count("input") - cached) + count("tool"),
    output: count("output"),
    cacheRead: cached,
    ...(count("thoughts") === 0 ? {} : { reasoning: count("thoughts") }),
  };
}

function unique(drafts: readonly Bare[]): Draft[] {
  const seen = new Map<string, number>();
  return drafts.map((draft) => {
    const key = keyOf(draft.body);
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return { ...draft, key: count === 1 ? key : `${key}#${count}` };
  });
}

function keyOf(body: EventBody): string {
  switch (body.type) {
    case "tool_use":
    case "tool_result":
      return `${body.type} ${body.call}`;
    case "subagent":
      return `subagent ${body.session}`;
    case "compaction":
      return `compaction ${body.summary}`;
    case "user":
    case "assistant":
    case "thinking":
    case "note":
      return `${body.type} ${typeof body.content === "string" ? body.content : JSON.stringify(body.content)}`;
    default:
      return JSON.stringify(body);
  }
}
