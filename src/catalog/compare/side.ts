import { resolve } from "node:path";
import type { AgentEvent } from "../../agents/contract.ts";
import { timeOf } from "../../base/clock.ts";
import { limits } from "../../base/limits.ts";
import { plainText } from "../../model/block.ts";
import type { ToolResultEvent } from "../../model/event.ts";
import { isMissingResult } from "../../model/missing-result.ts";
import { isPrompt } from "../../model/prompt.ts";
import type { ToolDialect } from "../../model/tool-dialect.ts";
import type { Usage } from "../../model/usage.ts";
import { changeSize } from "../blame/change-size.ts";
import { type SessionAct, sessionActs } from "../blame/session-acts.ts";
import { dollarsFor, type Prices, ratesOf } from "../usage/prices.ts";
import type { Rest } from "./walk.ts";

/** One call of a turn. */
export interface ComparedCall {
  readonly event: string;
  readonly name: string;
  /** What it is about, on one line. */
  readonly subject: string;
  failed?: true;
  /** Nobody recorded a result. */
  unanswered?: true;
}

/** A prompt and what came of it. */
export interface ComparedTurn {
  /** The prompt's event; undefined for what came before the first one. */
  readonly event?: string;
  readonly at?: string;
  readonly prompt: string;
  /** What the model said, its texts joined. */
  answer: string;
  readonly calls: ComparedCall[];
}

/** A file that one side changed. */
export interface ComparedFile {
  readonly path: string;
  action: "created" | "modified" | "deleted";
  added: number;
  removed: number;
  readonly events: string[];
}

/** Tokens of one side. */
export interface ComparedTokens {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  total: number;
}

/** What one branch has behind the common prefix. */
export interface Side {
  readonly events: number;
  readonly prompts: number;
  readonly answers: number;
  readonly calls: number;
  readonly failed: number;
  /** Calls that have no result, also those of the common part. */
  readonly unanswered: number;
  readonly tools: Readonly<Record<string, number>>;
  readonly files: readonly ComparedFile[];
  readonly tokens: ComparedTokens;
  /** Undefined where a model has no price and recorded none. */
  readonly costUsd?: number;
  /** From the first event to the last one. */
  readonly durationMs?: number;
  readonly models: readonly string[];
  readonly turns: readonly ComparedTurn[];
  /** Turns beyond what is held; they are counted. */
  readonly more: number;
}

/** What a side is read with. */
export interface SideOptions {
  readonly dialects: readonly ToolDialect[];
  readonly prices: Prices;
  readonly cwd: string | undefined;
  /** What a call is about, on one line. */
  subjectOf(input: unknown): string;
}

/** Reads what a branch has behind the common prefix. */
export async function readSide({ events, open }: Rest, options: SideOptions): Promise<Side> {
  const gathering = new Gathering(options, open);
  for await (const act of sessionActs(gathering.watched(events), options)) gathering.act(act);
  return gathering.side();
}

class Gathering {
  readonly #options: SideOptions;
  readonly #turns: ComparedTurn[] = [];
  readonly #files = new Map<string, ComparedFile>();
  readonly #tools = new Map<string, number>();
  readonly #open = new Map<string, ComparedCall>();
  /** Calls of the common part that have no result yet. */
  readonly #before: Set<string>;
  readonly #usages = new Map<string, { readonly model: string; readonly usage: Usage }>();
  readonly #models = new Set<string>();
  #events = 0;
  #prompts = 0;
  #answers = 0;
  #failed = 0;
  #firstMs: number | undefined;
  #lastMs: number | undefined;

  constructor(options: SideOptions, before: ReadonlySet<string>) {
    this.#options = options;
    this.#before = new Set(before);
  }

  /** Passes the events on to anyone who looks for what they did to files. */
  async *watched(events: AsyncIterable<AgentEvent>): AsyncGenerator<AgentEvent> {
    for await (const event of events) {
      this.#take(event);
      yield event;
    }
  }

  act(act: SessionAct): void {
    if (act.action === "read" || act.outcome === "failed") return;
    const folder = resolve(act.cwd ?? this.#options.cwd ?? "/", act.folder ?? "");
    const path = resolve(folder, act.path);
    const { added, removed } = changeSize(act);
    const file = this.#files.get(path) ?? {
      path,
      action: act.action,
      added: 0,
      removed: 0,
      events: [],
    };
    this.#files.set(path, file);
    if (act.action === "deleted") file.action = "deleted";
    file.added += added;
    file.removed += removed;
    if (file.events.at(-1) !== act.event && file.events.length < limits.reportedIds) {
      file.events.push(act.event);
    }
  }

  #take({ number, at, body }: AgentEvent): void {
    this.#events += 1;
    const ms = timeOf(at);
    this.#firstMs ??= ms;
    this.#lastMs = ms ?? this.#lastMs;
    if ("model" in body && typeof body.model === "string") this.#models.add(body.model);
    if ("usage" in body && body.usage !== undefined) {
      const model = [...this.#models].at(-1) ?? "unknown";
      // A message that was split into several events repeats its usage.
      this.#usages.set(body.message ?? number, { model, usage: body.usage });
    }
    if (isPrompt(body)) {
      this.#prompts += 1;
      const prompt = cut(plainText(body.content));
      const place = { event: number, ...(at !== undefined && { at }) };
      this.#turns.push({ ...place, prompt, answer: "", calls: [] });
    } else if (body.type === "assistant") this.#answered(plainText(body.content));
    else if (body.type === "tool_use") {
      this.#tools.set(body.name, (this.#tools.get(body.name) ?? 0) + 1);
      const call = { event: number, name: body.name, subject: this.#options.subjectOf(body.input) };
      this.#open.set(body.call, call);
      if (this.#open.size > limits.openToolCalls)
        this.#open.delete(this.#open.keys().next().value!);
      const { calls } = this.#turn();
      if (calls.length < limits.reportedIds) calls.push(call);
    } else if (body.type === "tool_result" && !isMissingResult(body)) this.#result(body);
  }

  /** A call of the common part is not counted here, and neither is its failure. */
  #result({ call: id, isError }: ToolResultEvent): void {
    const call = this.#open.get(id);
    this.#open.delete(id);
    this.#before.delete(id);
    if (isError !== true || call === undefined) return;
    this.#failed += 1;
    call.failed = true;
  }

  #answered(text: string): void {
    if (text.trim() === "") return;
    this.#answers += 1;
    const turn = this.#turn();
    turn.answer = cut(turn.answer === "" ? text.trim() : `${turn.answer}\n\n${text.trim()}`);
  }

  #turn(): ComparedTurn {
    const last = this.#turns.at(-1);
    if (last !== undefined) return last;
    const first = { prompt: "", answer: "", calls: [] };
    this.#turns.push(first);
    return first;
  }

  side(): Side {
    const tokens: ComparedTokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
    let costUsd = 0;
    for (const { model, usage } of this.#usages.values()) {
      const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = usage;
      tokens.input += input;
      tokens.output += output;
      tokens.cacheRead += cacheRead;
      tokens.cacheWrite += cacheWrite;
      tokens.total += input + output + cacheRead + cacheWrite;
      const counted = { input, output, cacheRead, cacheWrite, cacheWriteHour: 0, reasoning: 0 };
      costUsd += usage.cost ?? dollarsFor(counted, ratesOf(model, this.#options.prices).usual);
    }
    const durationMs =
      this.#firstMs === undefined || this.#lastMs === undefined
        ? undefined
        : Math.max(0, this.#lastMs - this.#firstMs);
    for (const call of this.#open.values()) call.unanswered = true;
    const calls = [...this.#tools.values()].reduce((sum, count) => sum + count, 0);
    return {
      events: this.#events,
      prompts: this.#prompts,
      answers: this.#answers,
      calls,
      failed: this.#failed,
      unanswered: this.#open.size + this.#before.size,
      tools: Object.fromEntries(this.#tools),
      files: [...this.#files.values()],
      tokens,
      ...(!Number.isNaN(costUsd) && { costUsd }),
      ...(durationMs !== undefined && { durationMs }),
      models: [...this.#models],
      turns: this.#turns.slice(0, limits.comparedTurns),
      more: Math.max(0, this.#turns.length - limits.comparedTurns),
    };
  }
}

function cut(text: string): string {
  const { comparedChars } = limits;
  return text.length <= comparedChars ? text : `${text.slice(0, comparedChars).toWellFormed()}…`;
}
