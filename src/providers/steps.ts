import type {
  ContextMessage,
  GivenBlock,
  MessageBlock,
  ThinkingBlock,
  ToolResultBlock,
  ToolUseBlock,
} from "../context/messages.ts";
import { CallIds } from "../model/call-ids.ts";
import type { Conversation, RequestOptions } from "./request.ts";

/** What a model said, in its order; a call's input is always an object. */
export type SpokenBlock = GivenBlock | ThinkingBlock | (ToolUseBlock & { readonly input: object });

/** What a call gave back, with the name of the tool, which some APIs want again. */
export interface Answer extends ToolResultBlock {
  readonly name: string;
}

/** A conversation as every API takes it: no empty texts, ids that are valid, roles that take turns. */
export type Step =
  | { readonly role: "user"; readonly content: readonly GivenBlock[] }
  | { readonly role: "assistant"; readonly content: readonly SpokenBlock[] }
  | { readonly role: "tool"; readonly answers: readonly Answer[] };

/** The instructions of a conversation as one text; undefined if there are none. */
export function systemText({ messages }: Conversation): string | undefined {
  const texts = messages
    .filter(({ role }) => role === "system")
    .flatMap(({ content }) => content)
    .flatMap((block) => (block.type === "text" ? [block.text] : []))
    .filter(saysSomething);
  return texts.length === 0 ? undefined : texts.join("\n\n");
}

/** The conversation without its instructions. Neighbours of one role are one step. */
export function stepsOf(
  { messages }: Conversation,
  options: Pick<RequestOptions, "model">,
): readonly Step[] {
  const calls = new Calls();
  const steps: Step[] = [];
  for (const message of messages) {
    const step = stepOf(message, { calls, model: options.model });
    if (step !== undefined) add(steps, step);
  }
  return steps;
}

/** The calls of a conversation under ids that every API takes. */
class Calls {
  readonly #ids = new CallIds();
  /** By the id it was recorded with: how it is called now. A later call of that id takes its place. */
  readonly #known = new Map<string, { readonly id: string; readonly name: string }>();

  made({ call, name }: ToolUseBlock): string {
    const id = this.#ids.forCall(call);
    this.#known.set(call, { id, name: toolName(name) });
    return id;
  }

  answered(call: string): { readonly id: string; readonly name: string } | undefined {
    return this.#known.get(call);
  }
}

function stepOf(
  message: ContextMessage,
  known: { readonly calls: Calls; readonly model: string },
): Step | undefined {
  switch (message.role) {
    case "system":
      return undefined;
    case "user": {
      const content = message.content.filter(isGiven).filter(isSaid);
      return content.length === 0 ? undefined : { role: "user", content };
    }
    case "assistant": {
      const isOwn = message.model === known.model;
      const content = message.content.flatMap((block) => spoken(block, { ...known, isOwn }));
      return content.some(({ type }) => type !== "thinking")
        ? { role: "assistant", content }
        : undefined;
    }
    case "tool": {
      const answers = message.content.flatMap((block) => answer(block, known.calls));
      return answers.length === 0 ? undefined : { role: "tool", answers };
    }
  }
}

function spoken(
  block: MessageBlock,
  known: { readonly calls: Calls; readonly isOwn: boolean },
): readonly SpokenBlock[] {
  switch (block.type) {
    case "tool_use":
      return [
        {
          ...block,
          call: known.calls.made(block),
          name: toolName(block.name),
          input: inputOf(block.input),
        },
      ];
    case "thinking":
      // What proves thinking to be the model's own is valid for that model alone.
      return known.isOwn && block.signature !== undefined ? [block] : [];
    case "tool_result":
      return [];
    default:
      return isSaid(block) ? [block] : [];
  }
}

function answer(block: MessageBlock, calls: Calls): readonly Answer[] {
  if (block.type !== "tool_result") return [];
  const call = calls.answered(block.call);
  if (call === undefined) return [];
  return [{ ...block, call: call.id, name: call.name, content: block.content.filter(isSaid) }];
}

function add(steps: Step[], step: Step): void {
  const last = steps.at(-1);
  if (last?.role === "user" && step.role === "user")
    steps[steps.length - 1] = { role: "user", content: [...last.content, ...step.content] };
  else if (last?.role === "assistant" && step.role === "assistant")
    steps[steps.length - 1] = { role: "assistant", content: [...last.content, ...step.content] };
  else if (last?.role === "tool" && step.role === "tool")
    steps[steps.length - 1] = { role: "tool", answers: [...last.answers, ...step.answers] };
  else steps.push(step);
}

function isGiven(block: MessageBlock): block is GivenBlock {
  return block.type === "text" || block.type === "image" || block.type === "file";
}

function isSaid(block: GivenBlock): boolean {
  return block.type !== "text" || saysSomething(block.text);
}

function saysSomething(text: string): boolean {
  return text.trim() !== "";
}

/** APIs take letters, digits, `_` and `-`, up to 64 of them. */
function toolName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "tool";
}

function inputOf(input: unknown): object {
  const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
  return isObject ? input : { input };
}
