import type { Holds } from "../agents/contract.ts";
import { timeOf } from "../base/clock.ts";
import { isObject } from "../base/json.ts";
import {
  type Block,
  blocksOf,
  type Content,
  type FileBlock,
  type ImageBlock,
  type TextBlock,
  textBlock,
} from "../model/block.ts";
import { CallIds } from "../model/call-ids.ts";
import type { EventBody, ThinkingEvent, ToolResultEvent, ToolUseEvent } from "../model/event.ts";
import { holdsInjected, withoutInjected } from "../model/injected.ts";
import { lossReasons } from "../model/loss.ts";
import { missingResult } from "../model/missing-result.ts";
import type {
  OutgoingAssistant,
  OutgoingMessage,
  OutgoingResult,
  OutgoingThinking,
} from "../model/outgoing.ts";
import type { ToolDialect } from "../model/tool-dialect.ts";
import type { Usage } from "../model/usage.ts";
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
  /** Whether the target takes blocks that only the source's agent understands; the same agent does. */
  readonly keepsNative?: boolean;
  readonly from: ToolDialect | undefined;
  readonly to: ToolDialect | undefined;
  readonly mappings: readonly PathMapping[];
  readonly losses: Losses;
  /** When it began, for sources that do not tell when anything was said. */
  readonly beganAt?: string | undefined;
}

type Given = TextBlock | ImageBlock | FileBlock;

/** A call and its answer, as soon as it came. */
interface Asked {
  readonly call: string;
  readonly name: string;
  result: ToolResultEvent | undefined;
}

/** One model message that is not finished yet, and the answers that came so far. */
interface Step {
  readonly message: string | undefined;
  readonly at: string;
  readonly content: OutgoingAssistant["content"][number][];
  readonly asked: Asked[];
  /** The calls by the ids the source gave them; a source may give one id twice. */
  readonly bySource: Map<string, Asked[]>;
  answers: number;
  /** What was said before all answers had come: it goes behind them. */
  readonly after: OutgoingMessage[];
  model: string | undefined;
  usage: Usage | undefined;
}

/** Why a call keeps the name and the arguments that its own agent gave it. */
const keptWords = "kept with the source's tool names and inputs: the target has no equal tool";

/** Why a copy begins with a summary. */
const compactedTurns = "the session had compacted them; its summary is carried over in their place";

/** Why turns are missing before a compaction that only its own service can read; its agent may have kept some of them, as Codex keeps prompts. */
const unreadableSummary =
  "no readable summary of them exists; the copy has what the source still gives its model";

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
  #at: string;

  constructor(options: NormaliseOptions) {
    this.#options = options;
    this.#at = options.beganAt ?? new Date(0).toISOString();
  }

  /** The messages of a whole path. */
  async *all(batches: AsyncIterable<readonly LiveEvent[]>): AsyncGenerator<OutgoingMessage> {
    for await (const events of batches) for (const event of events) yield* this.next(event);
    yield* this.end();
  }

  /** What one more event completes. */
  *next({ at, body }: LiveEvent): Generator<OutgoingMessage> {
    if (at !== undefined && timeOf(at) !== undefined) this.#at = at;
    switch (body.type) {
      case "user":
        if (body.injected)
          this.#drop("injected context", "added by the source, not part of the conversation");
        else yield* this.#user(body.content);
        return;
      case "assistant":
        if (body.synthetic) return this.#drop("filler", "written by the source, not by a model");
        yield* this.#part(body, this.#spoken(body.content));
        return;
      case "thinking":
        yield* this.#part(body, this.#thinking(body));
        return;
      case "tool_use":
        yield* this.#call(body);
        return;
      case "tool_result":
        yield* this.#result(body);
        return;
      case "compaction":
        yield* this.#summary(body.summary);
        return;
      case "system":
      case "hook":
        return this.#drop("injected context", "added by the source, not part of the conversation");
      default:
        return;
    }
  }

  /** What is still open at the end of the path. */
  *end(): Generator<OutgoingMessage> {
    yield* this.#finishStep();
  }

  *#user(content: Content): Generator<OutgoingMessage> {
    const given = this.#given(content).map(asTyped).filter(saysSomething);
    if (given.length > 0) yield* this.#say({ role: "user", content: given, at: this.#at });
  }

  *#summary(text: string): Generator<OutgoingMessage> {
    // Its own agent no longer gives these turns to the model, so they are not conversation that gets lost here.
    if (text.trim() === "") return this.#drop("compacted turns", unreadableSummary);
    this.#options.losses.add("compacted turns", "summarised", compactedTurns);
    yield* this.#finishStep();
    if (this.#begun) {
      yield { role: "user", content: [{ type: "text", text }], at: this.#at, injected: true };
    } else yield { role: "summary", text, at: this.#at };
    this.#begun = true;
  }

  /** A user's message: at once, or behind the answers that are still to come. */
  *#say(message: OutgoingMessage): Generator<OutgoingMessage> {
    const step = this.#step;
    if (step !== undefined && step.answers < step.asked.length) {
      step.after.push(message);
      return;
    }
    yield* this.#finishStep();
    this.#begun = true;
    yield message;
  }

  *#part(
    body: { readonly message?: string; readonly model?: string; readonly usage?: Usage },
    content: readonly OutgoingAssistant["content"][number][],
  ): Generator<OutgoingMessage> {
    if (content.length === 0 && body.usage === undefined) return;
    const speaks = content.some(({ type }) => type === "text");
    if (!this.#goesOn(body.message, { speaks })) {
      yield* this.#finishStep();
      this.#step = {
        message: body.message,
        at: this.#at,
        content: [],
        asked: [],
        bySource: new Map(),
        answers: 0,
        after: [],
        model: undefined,
        usage: undefined,
      };
    }
    this.#step!.content.push(...content);
    this.#step!.model ??= body.model;
    this.#step!.usage = body.usage ?? this.#step!.usage;
  }

  #goesOn(message: string | undefined, { speaks }: { readonly speaks: boolean }): boolean {
    const step = this.#step;
    if (step === undefined) return false;
    // What is said when all calls are answered answers them: as a model that searches by itself goes on.
    if (speaks && step.answers > 0 && step.answers === step.asked.length) return false;
    if (message !== undefined && step.message === message) return true;
    const untouched = step.answers === 0 && step.after.length === 0;
    return untouched && (message === undefined || step.message === undefined);
  }

  *#result(body: ToolResultEvent): Generator<OutgoingMessage> {
    const candidates = this.#step?.bySource.get(body.call) ?? [];
    const asked = candidates.find(({ result }) => result === undefined);
    if (asked !== undefined) {
      asked.result = body;
      this.#step!.answers += 1;
      return;
    }
    // No API takes an answer nobody asked for; what it says is kept as text.
    const given = this.#given(body.content).filter(saysSomething);
    if (given.length === 0) return;
    this.#options.losses.add(
      "tool result",
      "rewritten",
      candidates.length > 0
        ? "kept as user text: its call was answered before"
        : "kept as user text: its call is not in the live history",
    );
    yield* this.#say({ role: "user", content: given, at: this.#at });
  }

  *#finishStep(): Generator<OutgoingMessage> {
    const step = this.#step;
    this.#step = undefined;
    if (step === undefined) return;
    if (step.content.length > 0) yield* this.#stepMessages(step);
    if (step.after.length > 0) this.#begun = true;
    yield* step.after;
  }

  *#stepMessages(step: Step): Generator<OutgoingMessage> {
    if (!this.#begun) {
      this.#options.losses.add("opening", "rewritten", "added: models expect the user to begin");
      const content = [{ type: "text", text: opening }] as const;
      yield { role: "user", content, at: step.at, injected: true };
      this.#begun = true;
    }
    const { at, model, content } = step;
    const spoken = { role: "assistant", at, ...(model !== undefined && { model }) } as const;
    const end = endOfMessage(step);
    yield {
      ...spoken,
      content: content.slice(0, end),
      ...(step.usage !== undefined && { usage: step.usage }),
    };
    if (step.asked.length === 0) return;
    const results = step.asked.map((asked) => this.#answer(asked));
    yield { role: "results", results, at: step.after[0]?.at ?? this.#at };
    if (end < content.length) yield { ...spoken, content: content.slice(end) };
  }

  #answer({ call, name, result }: Asked): OutgoingResult {
    if (result === undefined) {
      this.#options.losses.add("tool call", "rewritten", "given a result that says it had none");
      return { call, name, content: [{ type: "text", text: missingResult }], isError: true };
    }
    const content = this.#given(result.content).filter((block) => {
      if (block.type === "text" || this.#options.holds.resultImages) return true;
      this.#options.losses.add(block.type, "dropped", lossReasons.resultImage);
      return false;
    });
    return { call, name, content, isError: result.isError === true };
  }

  *#call(body: ToolUseEvent): Generator<OutgoingMessage> {
    const { from, to, mappings } = this.#options;
    const plain = isObject(body.input) ? body.input : { input: body.input };
    const input = mapPaths(plain, mappings);
    const neutral = from === to ? undefined : from?.neutral({ name: body.name, input });
    const spoken = neutral === undefined ? undefined : to?.spoken(neutral);
    if (neutral !== undefined && to !== undefined && spoken === undefined) {
      this.#options.losses.add("tool call", "rewritten", keptWords);
    }
    const call = this.#ids.forCall(body.call);
    const name = spoken?.name ?? body.name;
    yield* this.#part(body, [{ type: "tool_use", call, name, input: spoken?.input ?? input }]);
    const asked = { call, name, result: undefined };
    const { bySource } = this.#step!;
    this.#step!.asked.push(asked);
    const twins = bySource.get(body.call);
    if (twins === undefined) bySource.set(body.call, [asked]);
    else twins.push(asked);
  }

  #spoken(content: Content): readonly TextBlock[] {
    return this.#given(content).flatMap((block) => {
      if (block.type === "text") return saysSomething(block) ? [block] : [];
      this.#options.losses.add(block.type, "dropped", lossReasons.spokenImage);
      return [];
    });
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
    if (holds.thinking === "same-model" && sameAgent && signature) return [whole];
    losses.add(
      "thinking",
      "dropped",
      holds.thinking === "never" ? lossReasons.noThinking : lossReasons.foreignThinking,
    );
    return [];
  }

  #given(content: Content): readonly Given[] {
    return blocksOf(content).flatMap((block): Given[] => {
      if (block.type === "text") return block.text === "" ? [] : [this.#said(block)];
      if (block.type === "opaque") {
        this.#options.losses.add("foreign block", "dropped", lossReasons.foreignBlock);
        return [];
      }
      return this.#holdsBlock(block) ? [block] : [];
    });
  }

  get #keepsNative(): boolean {
    return this.#options.keepsNative ?? this.#options.sameAgent;
  }

  #said(block: TextBlock): TextBlock {
    if (block.native !== undefined && !this.#keepsNative) {
      this.#options.losses.add("foreign block", "rewritten", "written as text");
    }
    return block;
  }

  #holdsBlock(block: Exclude<Block, { readonly type: "opaque" | "text" }>): boolean {
    const { holds, losses } = this.#options;
    if (block.type === "file") {
      if (holds.files) return true;
      losses.add("file", "dropped", lossReasons.attachedFile);
      return false;
    }
    const inline = block.source.kind === "base64" || holds.images.includes("*");
    if (inline && (holds.images.includes("*") || holds.images.includes(block.mediaType)))
      return true;
    losses.add("image", "dropped", lossReasons.imageKind);
    return false;
  }

  #drop(field: string, reason: string): void {
    this.#options.losses.add(field, "dropped", reason);
  }
}

/** APIs refuse text of blanks alone. */
function saysSomething(block: Given): boolean {
  if (block.type !== "text") return true;
  return block.text.trim() !== "";
}

/** What we put in front of a model ourselves is not taken along as a person's words. */
function asTyped(block: Given): Given {
  if (block.type !== "text") return block;
  return holdsInjected(block.text) ? textBlock(withoutInjected(block.text)) : block;
}

/**
 * Where a message ends. Of what is said behind the last call nobody knows that it belongs to the same message, unless the
 * source says so: then it comes behind the answers, where every agent keeps it.
 */
function endOfMessage({ message, content }: Step): number {
  if (message !== undefined) return content.length;
  const last = content.findLastIndex(({ type }) => type === "tool_use");
  const isSpeech = content.slice(last + 1).some(({ type }) => type === "text");
  return last >= 0 && isSpeech ? last + 1 : content.length;
}
