import { isRepriseError, RepriseError } from "../base/errors.ts";
import { asNumber } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import type { ContextMessage } from "../context/messages.ts";
import { type Content, plainText } from "../model/block.ts";
import type { EventBody, SessionEvent, ToolResultEvent } from "../model/event.ts";
import { addTo, contextTokens, type MutableUsage } from "../model/usage.ts";
import type { Conversation } from "../store/conversation.ts";
import { Approvals, type Approve } from "./approval.ts";
import { type Heard, hearModel } from "./hear-model.ts";
import type { LoopEvent, TurnEnd, TurnReason } from "./loop-event.ts";
import type { Model } from "./model.ts";
import { type AiSdkModel, aiSdk, isAiSdkModel } from "./models/ai-sdk.ts";
import { interruptedResult, type OpenCall, openCallsIn } from "./open-calls.ts";
import { type LoopCompaction, roomFor } from "./room.ts";
import { answerCall, middleCut, stoppedResult } from "./run-call.ts";
import { type AgentTool, definitionOf } from "./tool.ts";

/** A session manager of any store. */
export interface LoopStore extends Conversation {
  getSessionId(): string;
  appendAll(bodies: readonly EventBody[]): Promise<readonly SessionEvent[]>;
}

/** What an agent is made of. */
export interface AgentSessionOptions {
  /** A model of this entry, one of your own, or a model object of an AI SDK provider; never a name alone. */
  readonly model: Model | AiSdkModel;
  /** Where the conversation is kept: a `SessionManager` or an `AsyncSessionManager`. It stays the caller's. */
  readonly sessionManager: LoopStore;
  /** Instructions; those that the session was begun with unless given. */
  readonly systemPrompt?: string | undefined;
  readonly tools?: readonly AgentTool[] | undefined;
  /** Asks before tools run; see `asks` of a tool. */
  readonly approve?: Approve | undefined;
  /** How room is made before the window is full; as the session manager has it unless given, `false`: never. */
  readonly compaction?: LoopCompaction | false | undefined;
  /** How long an answer may be. */
  readonly maxTokens?: number | undefined;
  /** How often the model is asked in one turn; 200 times unless given. */
  readonly maxSteps?: number | undefined;
}

/** Hears what happens in a session. */
export type LoopListener = (event: LoopEvent) => void;

/** An agent in a session: prompts go in, and everything that follows is in the log as it happens. */
export class AgentSession {
  /** What people see of it; the entry is minified. */
  static readonly name = "AgentSession";
  readonly model: Model;
  readonly sessionManager: LoopStore;
  readonly tools: readonly AgentTool[];
  readonly #options: AgentSessionOptions;
  readonly #approvals: Approvals;
  /** The session makes room by itself, as its owner said. */
  readonly #hasOwnRoom: boolean;
  readonly #listeners = new Set<LoopListener>();
  readonly #forget: () => void;
  #turn: { readonly stop: AbortController; readonly over: Promise<unknown> } | undefined;

  /** @internal */
  constructor(options: AgentSessionOptions) {
    const { model, sessionManager, tools = [], approve } = options;
    this.model = isAiSdkModel(model) ? aiSdk(model) : model;
    this.sessionManager = sessionManager;
    this.tools = tools;
    this.#options = options;
    this.#approvals = new Approvals(approve);
    this.#hasOwnRoom = sessionManager.autoCompact !== undefined;
    this.#forget = sessionManager.subscribe((event) => {
      if (event.type !== "compaction") return;
      const { strategy = "summarise" } = event;
      this.#tell({ type: "compacted", session: sessionManager.getSessionId(), strategy });
    });
  }

  /** Whether a turn runs. */
  get isRunning(): boolean {
    return this.#turn !== undefined;
  }

  /** Calls back for everything that happens; returns what ends that. */
  subscribe(listener: LoopListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Gives the model a prompt and lets it work until it has nothing more to do. Rejects where the model fails; what it said
   * until then is kept. A turn that is stopped resolves with the reason `aborted`.
   */
  prompt(content: Content, options: { readonly signal?: AbortSignal } = {}): Promise<TurnEnd> {
    if (this.#turn !== undefined) {
      throw new RepriseError("conflict", "The session is in the middle of a turn.", {
        hint: "Wait for its end, or stop it with `abort()`.",
      });
    }
    const stop = new AbortController();
    const { signal } = options;
    const either = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
    const { autoCompact } = this.sessionManager;
    const turn = this.#run(content, either).finally(() => {
      this.sessionManager.setAutoCompact(autoCompact);
      this.#turn = undefined;
    });
    this.#turn = { stop, over: turn.catch(() => undefined) };
    return turn;
  }

  /** Stops the turn that runs, if there is one; resolves when everything of it is in the log. */
  async abort(): Promise<void> {
    this.#turn?.stop.abort();
    await this.#turn?.over;
  }

  /** Stops the turn and lets go of the session, which its owner closes. */
  async close(): Promise<void> {
    await this.abort();
    this.#forget();
    this.#listeners.clear();
  }

  async #run(content: Content, signal: AbortSignal): Promise<TurnEnd> {
    this.#tell({ type: "turn_start" });
    await this.#begin(content, signal);
    const usage: MutableUsage = {};
    const { maxSteps = limits.turnSteps } = this.#options;
    for (let steps = 1; ; steps += 1) {
      const heard = await this.#ask(signal);
      const { text, failure } = heard;
      if (heard.usage !== undefined) {
        addTo(usage, heard.usage);
        this.#tell({
          type: "usage",
          usage: heard.usage,
          contextTokens: contextTokens(heard.usage),
        });
      }
      const ended = (reason: TurnReason): TurnEnd => {
        const end = { reason, text, usage, steps };
        this.#tell({ type: "turn_end", ...end, ...(reason === "failed" && { error: failure }) });
        return end;
      };
      await this.#answer(heard, signal);
      if (signal.aborted) return ended("aborted");
      if (failure !== undefined) {
        ended("failed");
        throw failure;
      }
      if (heard.calls.length === 0) return ended("done");
      if (steps >= maxSteps) return ended("steps");
    }
  }

  /** Writes the prompt, and before it what is missing: instructions at the start, results of calls that were left open. */
  async #begin(content: Content, signal: AbortSignal): Promise<void> {
    const { sessionManager } = this;
    const { systemPrompt } = this.#options;
    const { messages } = await sessionManager.buildSessionContext();
    const openCalls = openCallsIn(messages);
    const isFirst = messages.length === 0 && systemPrompt !== undefined && systemPrompt !== "";
    this.#makeRoom("prompt", signal);
    await sessionManager.appendAll([
      ...(isFirst ? [{ type: "system", content: systemPrompt } as const] : []),
      ...openCalls.map(interruptedResult),
      { type: "user", content },
    ]);
    this.#makeRoom("turn", signal);
    if (openCalls.length > 0) this.#tell({ type: "resumed", openCalls });
  }

  async #ask(signal: AbortSignal): Promise<Heard> {
    const { sessionManager, model, tools } = this;
    const { messages } = await sessionManager.buildSessionContext();
    const request = {
      messages: withInstructions(messages, this.#options.systemPrompt),
      tools: tools.map(definitionOf),
      maxTokens: this.#options.maxTokens,
      signal,
    };
    const tell = (event: LoopEvent): void => this.#tell(event);
    return hearModel(model, request, { session: sessionManager, tell });
  }

  /** Answers every call of a message, one after the other; of one that was cut off none is run. */
  async #answer({ calls, failure }: Heard, signal: AbortSignal): Promise<void> {
    const { sessionManager, tools } = this;
    for (const open of calls) {
      const isRun = failure === undefined && !signal.aborted;
      if (isRun) this.#tell({ type: "tool_start", ...open });
      const setting = {
        tools,
        approvals: this.#approvals,
        signal,
        record: (event: EventBody) => sessionManager.append(event),
      };
      const result = isRun ? await answerCall(open, setting) : stoppedResult(open);
      const { content, isError = false } = await this.#record(result);
      if (isRun)
        this.#tell({ type: "tool_end", call: open.call, name: open.name, content, isError });
    }
  }

  /** Writes a result; one that no compaction makes room for is cut until it fits. */
  async #record(result: ToolResultEvent): Promise<ToolResultEvent> {
    try {
      await this.sessionManager.append(result);
      return result;
    } catch (error) {
      if (!isRepriseError(error, "window_exceeded")) throw error;
      const room = asNumber(error.details["roomTokens"]) ?? 0;
      // A token is a character or more.
      const cut = { ...result, content: middleCut(plainText(result.content), Math.max(200, room)) };
      // What was counted is an estimate; should the request be too large after all, the model's server says so.
      const { autoCompact } = this.sessionManager;
      this.sessionManager.setAutoCompact(undefined);
      await this.sessionManager.append(cut);
      this.sessionManager.setAutoCompact(autoCompact);
      return cut;
    }
  }

  #makeRoom(before: "prompt" | "turn", signal: AbortSignal): void {
    const { compaction, systemPrompt } = this.#options;
    const isTheirs = compaction === undefined && this.#hasOwnRoom;
    if (compaction === false || isTheirs) return;
    const { model, tools } = this;
    const how = roomFor({ compaction, model, tools, systemPrompt, before, signal });
    if (how !== undefined) this.sessionManager.setAutoCompact(how);
  }

  #tell(event: LoopEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        // What a listener throws is its own affair: the turn goes on.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}

/** What a session begins with. */
export interface CreatedAgentSession {
  readonly session: AgentSession;
  /** Calls that an earlier process left open; the next prompt answers them with an error. */
  readonly openCalls: readonly OpenCall[];
}

/** Makes an agent that talks in a session, a new one or one that goes on. Nothing is written before the first prompt. */
export async function createAgentSession(
  options: AgentSessionOptions,
): Promise<CreatedAgentSession> {
  if (typeof options.model === "string") {
    throw new RepriseError("bad_input", "The model is a name; it must be an object.", {
      hint: "Use `anthropic({ model })`, `openai`, `gemini` of `reprise/loop`, or a model object of an AI SDK provider.",
    });
  }
  const session = new AgentSession(options);
  const { messages } = await options.sessionManager.buildSessionContext();
  return { session, openCalls: openCallsIn(messages) };
}

/** The messages with these instructions in place of the recorded ones. */
function withInstructions(
  messages: readonly ContextMessage[],
  systemPrompt: string | undefined,
): readonly ContextMessage[] {
  if (systemPrompt === undefined) return messages;
  const others = messages.filter(({ role }) => role !== "system");
  if (systemPrompt === "") return others;
  const content = [{ type: "text", text: systemPrompt }] as const;
  return [{ role: "system", content, events: [] }, ...others];
}
