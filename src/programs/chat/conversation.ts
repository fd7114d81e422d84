import { type AgentSession, createAgentSession } from "../../loop/agent-session.ts";
import type { Approve } from "../../loop/approval.ts";
import type { LoopEvent, TurnEnd } from "../../loop/loop-event.ts";
import type { Model } from "../../loop/model.ts";
import type { OpenCall } from "../../loop/open-calls.ts";
import type { LoopCompaction } from "../../loop/room.ts";
import type { AgentTool } from "../../loop/tool.ts";
import { plainText } from "../../model/block.ts";
import type { SessionManager } from "../../store/session-manager.ts";

/** What a chat is made of, whichever session it is in. */
export interface ChatParts {
  readonly model: Model;
  readonly tools: readonly AgentTool[];
  readonly systemPrompt: string;
  readonly approve: Approve | undefined;
  readonly compaction: LoopCompaction;
  /** Makes the session of a chat that begins. */
  begin(from?: { readonly session: string; readonly event: number }): SessionManager;
  /** Hears what happens in a turn. */
  show(event: LoopEvent): void;
}

/** A chat: the session that it is in now, which may become another one, and the agent in it. */
export class ChatConversation {
  readonly parts: ChatParts;
  #manager: SessionManager | undefined;
  #agent: AgentSession | undefined;
  /** What was typed in this process. */
  readonly #typed: string[] = [];

  constructor(parts: ChatParts, manager: SessionManager | undefined) {
    this.parts = parts;
    this.#manager = manager;
  }

  /** The session; undefined until the first prompt makes one. */
  get session(): SessionManager | undefined {
    return this.#manager;
  }

  /** The session, made if there is none yet. */
  get begunSession(): SessionManager {
    this.#manager ??= this.parts.begin();
    return this.#manager;
  }

  /** Continues in another session; undefined: in a new one, made with the first prompt. */
  async goTo(manager: SessionManager): Promise<void> {
    await this.#agent?.close();
    await this.#manager?.close();
    this.#agent = undefined;
    this.#manager = manager;
  }

  /** Calls that an earlier process left open. */
  async openCalls(): Promise<readonly OpenCall[]> {
    if (this.#manager === undefined) return [];
    return (await this.#join(this.#manager)).openCalls;
  }

  /** Gives the model a prompt; resolves at the end of the turn. */
  async prompt(text: string, { signal }: { readonly signal: AbortSignal }): Promise<TurnEnd> {
    this.#typed.push(text);
    this.#agent ??= (await this.#join(this.begunSession)).session;
    return this.#agent.prompt(text, { signal });
  }

  /** Prompts of this session and those typed since, oldest first, none twice in a row. */
  history(): readonly string[] {
    const said =
      this.#manager === undefined ? [] : promptsOf(this.#manager).map(({ text }) => text);
    const all = [...said.filter((text) => !this.#typed.includes(text)), ...this.#typed];
    return all.filter((text, at) => text !== all[at - 1]).slice(-keptPrompts);
  }

  remember(text: string): void {
    this.#typed.push(text);
  }

  async close(): Promise<void> {
    await this.#agent?.close();
    await this.#manager?.close();
  }

  async #join(
    sessionManager: SessionManager,
  ): Promise<{ readonly session: AgentSession; readonly openCalls: readonly OpenCall[] }> {
    const { model, tools, systemPrompt, approve, compaction } = this.parts;
    const { session, openCalls } = await createAgentSession({
      model,
      tools,
      systemPrompt,
      approve,
      compaction,
      sessionManager,
    });
    session.subscribe((event) => this.parts.show(event));
    await this.#agent?.close();
    this.#agent = session;
    return { session, openCalls };
  }
}

const keptPrompts = 200;

/** A prompt of a session: what was typed, and the event before it, to which a rewind leads. */
export interface Prompt {
  readonly text: string;
  readonly event: number;
  readonly before: number | undefined;
}

/** What people typed in a session, oldest first, as far as the model sees it. */
export function promptsOf(manager: SessionManager): readonly Prompt[] {
  return manager.path().flatMap((event) => {
    if (event.type !== "user" || event.injected === true) return [];
    const text = plainText(event.content);
    return text.trim() === "" ? [] : [{ text, event: event.id, before: event.parent }];
  });
}
