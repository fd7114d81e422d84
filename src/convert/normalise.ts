import type { Holds } from "../agents/contract.ts";
import { isObject } from "../base/json.ts";
import {
  type Block,
  blocksOf,
  type Content,
  type FileBlock,
  type ImageBlock,
  type TextBlock,
} from "../model/block.ts";
import type { EventBody, ThinkingEvent, ToolResultEvent, ToolUseEvent } from "../model/event.ts";
import type {
  OutgoingAssistant,
  OutgoingMessage,
  OutgoingResult,
  OutgoingThinking,
} from "../model/outgoing.ts";
import type { ToolDialect } from "../model/tool-dialect.ts";
import type { Usage } from "../model/usage.ts";
import { reasons } from "./allowed.ts";
import { CallIds } from "./call-ids.ts";
import { mapPaths, type PathMapping } from "./path-map.ts";
import type { Losses } from "./report.ts";

/** An event of the live path. */
export interface LiveEvent {
  readonly at?: string | undefined;
  readonly body: EventBody;
}

/** How events are brought into the shape a target takes. */
export interface NormaliseOptions {
  readonly holds: Holds;
  /** Whether source and target are the same agent: then even signed thinking is its own. */
  readonly sameAgent: boolean;
  readonly from: ToolDialect | undefined;
  readonly to: ToolDialect | undefined;
  readonly mappings: readonly PathMapping[];
  readonly losses: Losses;
}

type Given = TextBlock | ImageBlock | FileBlock;

/** One model message that is not finished yet, and the answers that came so far. */
interface Step {
  readonly message: string | undefined;
  readonly at: string;
  readonly content: OutgoingAssistant["content"][number][];
  readonly results: Map<string, ToolResultEvent>;
  model: string | undefined;
  usage: Usage | undefined;
}

/** What stands for an answer that nobody recorded: APIs refuse a call without one. */
export const missingResult = "No result was recorded.";

/** What opens a conversation that began with the model. */
export const opening = "(The conversation began before this point.)";

/**
 * Turns the live path of any agent into a conversation every API accepts: a user turn first, each call
 * answered right after its message, ids valid, the target's tool names. Streams: only one model message is
 * held. What cannot be carried over is counted.
 */
export class Normaliser {
  readonly #options: NormaliseOptions;
  readonly #ids = new CallIds();
  #step: Step | undefined;
  #begun = false;
  #at = new Date(0).toISOString();

  constructor(options: NormaliseOptions) {
    this.#options = options;
  }

  /** The messages of a whole path. */
  async *all(events: AsyncIterable<LiveEvent>): AsyncGenerator<OutgoingMessage> {
    for await (const event of events) yield* this.next(event);
    yield* this.end();
  }

  /** What one more event completes. */
  *next({ at, body }: LiveEvent): Generator<OutgoingMessage> {
    this.#at = at ?? this.#at;
    switch (body.type) {
      case "user":
        if (body.injected)
          this.#drop("injected context", "it belongs to the agent, not to the conversation");
        else yield* this.#user(body.content);
        return;
      case "assistant":
        if (body.synthetic) return this.#drop("filler", "the agent wrote it, not a model");
        yield* this.#part(body, this.#given(body.content, "assistant text").filter(isText));
        return;
      case "thinking":
        yield* this.#part(body, this.#thinking(body));
        return;
      case "tool_use":
        yield* this.#part(body, [this.#call(body)]);
        return;
      case "tool_result":
        yield* this.#result(body);
        return;
      case "compaction":
        yield* this.#summary(body.summary);
        return;
      case "system":
      case "hook":
        return this.#drop("injected context", "it belongs to the agent, not to the conversation");
      default:
        return;
    }
  }

  /** What is still open at the end of the path. */
  *end(): Generator<OutgoingMessage> {
    yield* this.#finishStep();
  }

  *#user(content: Content): Generator<OutgoingMessage> {
    const given = this.#given(content, "user text");
    if (given.length === 0) return;
    yield* this.#finishStep();
    this.#begun = true;
    yield { role: "user", content: given, at: this.#at };
  }

  *#summary(text: string): Generator<OutgoingMessage> {
    yield* this.#finishStep();
    if (this.#begun) {
      yield { role: "user", content: [{ type: "text", text }], at: this.#at, injected: true };
    } else yield { role: "summary", text, at: this.#at };
    this.#begun = true;
  }

  *#part(
    body: { readonly message?: string; readonly model?: string; readonly usage?: Usage },
    content: readonly OutgoingAssistant["content"][number][],
  ): Generator<OutgoingMessage> {
    if (content.length === 0 && body.usage === undefined) return;
    const step = this.#step;
    const goesOn =
      step !== undefined &&
      (body.message === undefined
        ? step.results.size === 0
        : step.message === body.message || (step.message === undefined && step.results.size === 0));
    if (!goesOn) {
      yield* this.#finishStep();
      this.#step = {
        message: body.message,
        at: this.#at,
        content: [],
        results: new Map(),
        model: undefined,
        usage: undefined,
      };
    }
    this.#step!.content.push(...content);
    this.#step!.model ??= body.model;
    this.#step!.usage = body.usage ?? this.#step!.usage;
  }

  *#result(body: ToolResultEvent): Generator<OutgoingMessage> {
    const call = this.#ids.of(body.call);
    const asked = this.#step?.content.some(
      (part) => part.type === "tool_use" && part.call === call,
    );
    if (asked) {
      if (!this.#step!.results.has(call)) this.#step!.results.set(call, body);
      return;
    }
    // No API takes an answer nobody asked for; what it says is kept as text.
    const given = this.#given(body.content, "tool result");
    if (given.length === 0) return;
    this.#options.losses.add(
      "tool result",
      "rewritten",
      "its call is not in the live history: kept as user text",
    );
    yield* this.#user(given);
  }

  *#finishStep(): Generator<OutgoingMessage> {
    const step = this.#step;
    this.#step = undefined;
    if (step === undefined || step.content.length === 0) return;
    if (!this.#begun) {
      this.#options.losses.add(
        "opening",
        "rewritten",
        "a user turn was put first: APIs demand one",
      );
      yield {
        role: "user",
        content: [{ type: "text", text: opening }],
        at: step.at,
        injected: true,
      };
      this.#begun = true;
    }
    yield {
      role: "assistant",
      content: step.content,
      at: step.at,
      ...(step.model !== undefined && { model: step.model }),
      ...(step.usage !== undefined && { usage: step.usage }),
    };
    const results = step.content.flatMap((part): OutgoingResult[] =>
      part.type === "tool_use"
        ? [this.#answer(part.call, part.name, step.results.get(part.call))]
        : [],
    );
    if (results.length > 0) yield { role: "results", results, at: this.#at };
  }

  #answer(call: string, name: string, result: ToolResultEvent | undefined): OutgoingResult {
    if (result === undefined) {
      this.#options.losses.add(
        "tool call",
        "rewritten",
        "it had no result: one that says so was added",
      );
      return { call, name, content: [{ type: "text", text: missingResult }], isError: true };
    }
    const content = this.#given(result.content, "tool result").filter((block) => {
      if (block.type === "text" || this.#options.holds.resultImages) return true;
      this.#options.losses.add(block.type, "dropped", reasons.resultImage);
      return false;
    });
    return { call, name, content, isError: result.isError === true };
  }

  #call(body: ToolUseEvent): OutgoingAssistant["content"][number] {
    const { from, to, mappings } = this.#options;
    const plain = isObject(body.input) ? body.input : { input: body.input };
    const input = mapPaths(plain, mappings);
    const neutral = from === to ? undefined : from?.neutral({ name: body.name, input });
    const spoken = neutral === undefined ? undefined : to?.spoken(neutral);
    return {
      type: "tool_use",
      call: this.#ids.of(body.call),
      name: spoken?.name ?? body.name,
      input: spoken?.input ?? input,
    };
  }

  #thinking(body: ThinkingEvent): readonly OutgoingThinking[] {
    const { holds, sameAgent, losses } = this.#options;
    const { content: text, signature, redacted } = body;
    const whole: OutgoingThinking = {
      type: "thinking",
      text,
      ...(signature !== undefined && { signature }),
      ...(redacted !== undefined && { redacted }),
    };
    if (holds.thinking === "text") return [whole];
    if (holds.thinking === "same-model" && sameAgent && signature !== undefined) return [whole];
    losses.add(
      "thinking",
      "dropped",
      holds.thinking === "never" ? reasons.noThinking : reasons.foreignThinking,
    );
    return [];
  }

  #given(content: Content, field: string): readonly Given[] {
    return blocksOf(content).flatMap((block): Given[] => {
      if (block.type === "text") return block.text === "" ? [] : [block];
      if (block.type === "opaque") {
        this.#options.losses.add(field, "dropped", `a block only ${block.from} understands`);
        return [];
      }
      return this.#holdsBlock(block) ? [block] : [];
    });
  }

  #holdsBlock(block: Exclude<Block, { readonly type: "opaque" | "text" }>): boolean {
    const { holds, losses } = this.#options;
    if (block.type === "file") {
      if (holds.files) return true;
      losses.add("file", "dropped", reasons.attachedFile);
      return false;
    }
    const inline = block.source.kind === "base64" || holds.images.includes("*");
    if (inline && (holds.images.includes("*") || holds.images.includes(block.mediaType)))
      return true;
    losses.add("image", "dropped", reasons.imageKind);
    return false;
  }

  #drop(field: string, reason: string): void {
    this.#options.losses.add(field, "dropped", reason);
  }
}

function isText(block: Given): block is TextBlock {
  return block.type === "text";
}
