import { isRepriseError, RepriseError } from "../base/errors.ts";
import type { Context } from "../context/build.ts";
import type { Estimate } from "../context/estimate.ts";
import { needsRoom, planRoom, type RoomPlan, roomOf, sizeOf, tokensOf } from "../context/room.ts";
import type { Content } from "../model/block.ts";
import type { Damage } from "../model/damage.ts";
import type { AssistantEvent, EventBody, EventId, SessionEvent } from "../model/event.ts";
import { conversationTypes } from "../model/event-groups.ts";
import { endsTurn } from "../model/stop-reason.ts";
import { Followers } from "./followers.ts";
import { MessageStream, type StreamOptions } from "./message-stream.ts";
import type { AutoCompact, CompactOptions, OpenOptions } from "./session-options.ts";
import { type Extra, TypedAppends } from "./typed-appends.ts";

/** What a session's events become for a model, and what was damaged on the way. */
export interface BuiltContext extends Context {
  readonly damage: readonly Damage[];
}

/** Which context to build. */
export interface ContextRequest {
  readonly budgetTokens?: number;
  readonly at?: EventId;
  /** Counts the tokens of a text; the session's own estimate unless given. */
  readonly estimate?: Estimate | undefined;
}

/** What is to be done before an append: nothing, or a compaction of these sizes. */
export type Compacting = Extract<RoomPlan, { readonly do: "compact" }>;

/** Hears of every acknowledged event. */
export type Listener = (event: SessionEvent) => void;

/**
 * What every manager of a session does alike, whether its store answers at once or later: it keeps in mind what was
 * appended through it, and says those who subscribed.
 */
export abstract class Conversation extends TypedAppends {
  /** True where `continueRecent` found nothing to continue, or the session was just made. */
  readonly isNew: boolean;
  #options: OpenOptions;
  protected readonly followers = new Followers();
  readonly #listeners = new Set<Listener>();
  readonly #streams = new Set<MessageStream>();
  /** How large the context is at most by the estimate; undefined if it has to be looked at. */
  #atMostTokens: number | undefined;

  protected constructor(options: OpenOptions, isNew: boolean) {
    super();
    this.#options = options;
    this.isNew = isNew;
  }

  protected get options(): OpenOptions {
    return this.#options;
  }

  /** How it makes room by itself; undefined: it does not. */
  get autoCompact(): AutoCompact | undefined {
    return this.#options.autoCompact;
  }

  /** From now on makes room by itself in this way, as a model with another window needs it; undefined: never. */
  setAutoCompact(how: AutoCompact | undefined): void {
    const { autoCompact: _before, ...others } = this.#options;
    this.#options = how === undefined ? others : { ...others, autoCompact: how };
    this.#atMostTokens = undefined;
  }

  abstract buildSessionContext(request?: ContextRequest): BuiltContext | Promise<BuiltContext>;
  abstract compact(options?: CompactOptions): Promise<SessionEvent | undefined>;
  /** Goes back to an event; what came after stays in the log, and a rewind to `from` undoes it. */
  abstract rewind(to: EventId, reason?: string): Promise<SessionEvent>;
  /** Takes the session as it is now, others' events included, and returns its last id. */
  abstract reload(): EventId | Promise<EventId>;
  /** Writes what is queued and lets go of the session. */
  abstract close(): Promise<void>;
  protected abstract readonly firstId: EventId;
  /** The events on the path that a context needs, root first. */
  protected abstract contextEvents(): readonly SessionEvent[] | Promise<readonly SessionEvent[]>;
  /** Makes room for events with the built-in summary, so quickly that nobody comes between. */
  protected abstract compactAtOnce(bodies: readonly EventBody[]): void | Promise<void>;
  /** Appends events as they are, in the order of the calls, and keeps them in mind. */
  protected abstract write(bodies: readonly EventBody[]): Promise<readonly SessionEvent[]>;

  /** Begins a message of a model that comes in piece by piece; each piece is in the log within 250 ms. */
  stream(options: StreamOptions = {}): MessageStream {
    const stream: MessageStream = new MessageStream(
      {
        append: (bodies) => this.write(bodies),
        ended: () => this.#streams.delete(stream),
      },
      options,
    );
    this.#streams.add(stream);
    return stream;
  }

  /** Closes it at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Appends what the model said; the turn ends with it where `endTurn` or the stop reason says so. */
  appendAssistant(content: Content, extra: Extra<AssistantEvent> = {}): Promise<SessionEvent> {
    const endTurn = extra.endTurn ?? endsTurn(extra.stopReason);
    return this.append({ type: "assistant", content, ...extra, ...(endTurn && { endTurn }) });
  }

  /** Empties the context: a rewind to the first event. */
  clear(): Promise<SessionEvent> {
    return this.rewind(this.firstId, "clear");
  }

  /** Says that the session is over. */
  end(summary?: string): Promise<SessionEvent> {
    return this.append({ type: "session_end", ...(summary !== undefined && { summary }) });
  }

  /**
   * Calls back for every event appended through this object, once it is acknowledged. What a listener throws does
   * not undo the append: it is an uncaught error of its own.
   */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Keeps acknowledged events in mind and reports them. */
  protected heard(events: readonly SessionEvent[]): void {
    for (const event of events) {
      this.#weigh(event);
      if (this.#listeners.size > 0) this.#tell(event);
    }
  }

  /** Writes what models are saying before a conversation event that comes after it. */
  protected settleStreams(before?: readonly EventBody[]): void {
    if (this.#streams.size === 0) return;
    if (before?.every(({ type }) => !conversationTypes.has(type))) return;
    for (const stream of this.#streams) stream.settle();
  }

  /** Ends what nobody ended, then does the last thing. */
  protected whenStreamsEnded(last: () => Promise<void>): Promise<void> {
    if (this.#streams.size === 0) return last();
    const aborted = [...this.#streams].map((stream) => stream.abort("closed"));
    return Promise.allSettled(aborted).then(last);
  }

  /** Says that the session went on in another log; resolves when nobody follows the old one any more. */
  protected wentOn(): Promise<void> {
    this.#atMostTokens = undefined;
    return this.followers.goOn();
  }

  /** Compacts first if there is no room for events; throws `window_exceeded` if there is none even then. */
  protected async compactIfFull(bodies: readonly EventBody[]): Promise<void> {
    if (!this.mayLackRoom(bodies)) return;
    const plan = this.plan(await this.contextEvents(), bodies);
    if (plan === undefined) return;
    try {
      await this.compact({ ...this.options.autoCompact, ...plan });
    } catch (error) {
      if (!isRepriseError(error, "conflict")) throw error;
      // Something was appended while the summary was made. The built-in one takes no time.
      await this.compactAtOnce(bodies);
    }
  }

  /** Whether it has to be looked at if there is room for events. */
  protected mayLackRoom(bodies: readonly EventBody[]): boolean {
    const { autoCompact } = this.options;
    if (autoCompact === undefined || !needsRoom(bodies)) return false;
    if (this.#atMostTokens === undefined) return true;
    return this.#atMostTokens + tokensOf(bodies, this.#estimate) > roomOf(autoCompact);
  }

  /** The compaction that makes room for events, if there must be one; throws `window_exceeded` if none does. */
  protected plan(
    path: readonly SessionEvent[],
    bodies: readonly EventBody[],
  ): Compacting | undefined {
    const autoCompact = this.options.autoCompact!;
    const plan = planRoom(path, bodies, { ...autoCompact, estimate: this.#estimate });
    if (plan.do === "refuse") throw exceeded(plan, autoCompact.windowTokens);
    if (plan.do === "compact") return plan;
    this.#atMostTokens = sizeOf(path, this.#estimate);
    return undefined;
  }

  /** Options of a compaction, with the session's estimate. */
  protected compacting(options: CompactOptions): CompactOptions {
    return { ...options, estimate: options.estimate ?? this.#estimate };
  }

  get #estimate(): Estimate | undefined {
    return this.options.autoCompact?.estimate ?? this.options.estimate;
  }

  #weigh(event: SessionEvent): void {
    if (this.#atMostTokens === undefined) return;
    const isElsewhere = event.type === "compaction" || event.type === "rewind";
    // What a provider counted may be more than the estimate.
    const isCounted = "usage" in event && event.usage !== undefined;
    if (isElsewhere || isCounted) this.#atMostTokens = undefined;
    else this.#atMostTokens += tokensOf([event], this.#estimate);
  }

  #tell(event: SessionEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}

function exceeded(
  { tokens, roomTokens }: { readonly tokens: number; readonly roomTokens: number },
  windowTokens: number,
): RepriseError {
  return new RepriseError(
    "window_exceeded",
    `What is to be appended has about ${tokens} tokens; in a window of ${windowTokens} there is room for ${roomTokens}.`,
    { details: { tokens, roomTokens, windowTokens } },
  );
}
