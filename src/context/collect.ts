import type { SessionEvent } from "../model/event.ts";
import { type Draft, draftOf } from "./draft.ts";
import { givenBlocks, hasWords } from "./given.ts";
import type { GivenBlock, MessageBlock, ToolResultBlock } from "./messages.ts";
import type { Remarks } from "./remarks.ts";

/** A recorded result and where it was recorded. */
export interface RecordedResult {
  readonly block: ToolResultBlock;
  readonly event: number;
}

/** Messages in the order they began, and the results that belong behind their calls. */
export interface Collected {
  readonly messages: readonly Draft[];
  readonly results: readonly RecordedResult[];
}

/** Joins events into messages; what is not a part of a conversation stays out. */
export function collect(events: readonly SessionEvent[], remarks: Remarks): Collected {
  const messages: Draft[] = [];
  const results: RecordedResult[] = [];
  const assistants = new AssistantMessages(messages);
  for (const event of events) {
    switch (event.type) {
      case "system":
      case "user":
      case "hook": {
        if (event.type === "hook" && event.content === undefined) {
          remarks.add("not_for_models", event.id);
          break;
        }
        const content = givenBlocks(event.content, event.id, remarks);
        if (content.length === 0) remarks.add("empty", event.id);
        else messages.push(givenDraft(event, content));
        if (event.type === "user" && event.injected !== true) assistants.beginTurn();
        else assistants.interrupt();
        break;
      }
      case "assistant":
        if (event.synthetic === true) {
          remarks.add("synthetic", event.id);
          assistants.interrupt();
        } else assistants.add(event, givenBlocks(event.content, event.id, remarks), remarks);
        break;
      case "thinking":
      case "tool_use":
        assistants.add(event, ownBlocks(event), remarks);
        break;
      case "tool_result": {
        const content = givenBlocks(event.content, event.id, remarks);
        results.push({ block: resultBlock(event, content), event: event.id });
        assistants.interrupt();
        break;
      }
      case "session_start":
      case "session_end":
      case "rewind":
      case "compaction":
        break;
      case "part":
      case "checkpoint":
      case "restore":
      case "meta":
      case "plan":
      case "approval":
      case "agent":
      case "task":
      case "subagent":
      case "process":
      case "file":
      case "note":
      case "recovered":
      case "custom":
        remarks.add("not_for_models", event.id);
        break;
      default:
        remarks.add("unknown_type", (event as SessionEvent).id);
    }
  }
  return { messages: messages.filter((message) => message.content.length > 0), results };
}

function resultBlock(
  { call, isError }: Extract<SessionEvent, { type: "tool_result" }>,
  content: GivenBlock[],
): ToolResultBlock {
  // A context may hold a hundred thousand of them: what they do not have is not made.
  if (isError === true) return { type: "tool_result", call, content, isError };
  return { type: "tool_result", call, content };
}

type Given = Extract<SessionEvent, { type: "system" | "user" | "hook" }>;
type Own = Extract<SessionEvent, { type: "assistant" | "thinking" | "tool_use" }>;

function givenDraft(event: Given, content: MessageBlock[]): Draft {
  if (event.type === "system") return draftOf("system", { content, event: event.id });
  const injected = event.type === "hook" || event.injected === true;
  const author = event.type === "user" ? event.author : undefined;
  return draftOf("user", { content, event: event.id, injected, author });
}

function ownBlocks(event: Extract<Own, { type: "thinking" | "tool_use" }>): MessageBlock[] {
  if (event.type === "tool_use") {
    const input = event.input === undefined ? {} : event.input;
    return [{ type: "tool_use", call: event.call, name: event.name, input }];
  }
  const text = typeof event.content === "string" ? event.content : "";
  if (!hasWords(text) && event.signature === undefined) return [];
  const signature = event.signature === undefined ? {} : { signature: event.signature };
  return [
    {
      type: "thinking",
      text,
      ...signature,
      ...(event.redacted === true ? { redacted: true } : {}),
    },
  ];
}

/** Finds the message an event of a model belongs to. */
class AssistantMessages {
  readonly #messages: Draft[];
  /** Messages of this turn by their id; a provider may use an id again in a later turn. */
  readonly #byId = new Map<string, Draft>();
  /** The message without an id that is being put together. */
  #open: Draft | undefined;

  constructor(messages: Draft[]) {
    this.#messages = messages;
  }

  interrupt(): void {
    this.#open = undefined;
  }

  beginTurn(): void {
    this.#open = undefined;
    this.#byId.clear();
  }

  add(event: Own, blocks: MessageBlock[], remarks: Remarks): void {
    if (blocks.length === 0) remarks.add("empty", event.id);
    const id = event.message;
    const known = id === undefined ? this.#open : this.#byId.get(id);
    const message =
      known !== undefined && (id !== undefined || joins(known, event)) ? known : undefined;
    const draft = message ?? this.#begin(event, blocks);
    if (message !== undefined) {
      draft.events.push(event.id);
      for (const block of blocks) draft.content.push(block);
    }
    if (event.model !== undefined) draft.model = event.model;
    this.#open = id === undefined && !endsTurn(event) ? draft : undefined;
  }

  #begin(event: Own, content: MessageBlock[]): Draft {
    const draft = draftOf("assistant", { content, event: event.id });
    this.#messages.push(draft);
    if (event.message !== undefined) this.#byId.set(event.message, draft);
    return draft;
  }
}

/** Without ids, a message is thinking, then text, then calls; what comes out of order begins another. */
function joins(message: Draft, event: Own): boolean {
  if (event.type === "tool_use") return true;
  const last = message.content.at(-1);
  return last === undefined || last.type === "thinking";
}

function endsTurn(event: Own): boolean {
  return event.type === "assistant" && event.endTurn === true;
}
