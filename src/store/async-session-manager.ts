import { resolve } from "node:path";
import { processEnvironment } from "../base/env.ts";
import { isRepriseError, RepriseError } from "../base/errors.ts";
import { sessionIdOf } from "../base/ids.ts";
import { clearError } from "../base/system-error.ts";
import { UsageSum } from "../context/usage.ts";
import { conflict } from "../log/seen.ts";
import type { Damage } from "../model/damage.ts";
import type { EventBody, EventFrame, EventId, SessionEvent, SessionStart } from "../model/event.ts";
import { conversationTypes } from "../model/event-groups.ts";
import type { SessionHead } from "../model/head.ts";
import { joinPartsAsync } from "../model/join-parts.ts";
import type { Usage } from "../model/usage.ts";
import { builtInSummary, compactionOf, summaryOf } from "./compact.ts";
import { type ContextPath, ContextWalk, contextOf } from "./context-path.ts";
import type {
  After,
  FollowOptions,
  OpenedSession,
  PathRange,
  ReadRange,
  Store,
} from "./contract.ts";
import { type BuiltContext, type ContextRequest, Conversation } from "./conversation.ts";
import { copied, draftOf } from "./draft.ts";
import { forkStartOf } from "./fork-start.ts";
import { noEvent } from "./log-store.ts";
import { isQuietBetween } from "./quiet-between.ts";
import { headsOf, recentOf } from "./recent.ts";
import { rewindTo } from "./rewind.ts";
import { continuedIn, rotationOf } from "./rotation.ts";
import type { EventsOptions } from "./session-log.ts";
import {
  type AppendRequest,
  type AsyncCreateOptions,
  type AsyncOpenOptions,
  type CompactOptions,
  openOptionsOf,
} from "./session-options.ts";
import { type StartOptions, startOf } from "./start.ts";
import { type Branch, branchesOf, shapesOf, type TreeNode, treeOf } from "./tree.ts";
import type { MetaChange } from "./typed-appends.ts";

/** How often a change is tried again that others came in between of. */
const metaTries = 100;
/** How often a compaction without a model is tried anew for the same reason. */
const compactTries = 10;

/**
 * One session on any store: what `SessionManager` does, each method awaited. The store stays the caller's: closing a
 * session does not close it.
 */
export class AsyncSessionManager extends Conversation {
  /** What people see of it; the entry is minified. */
  static override readonly name = "AsyncSessionManager";
  readonly #store: Store;
  #start: SessionStart & EventFrame;
  /** Appends reach the store in the order they were asked for. */
  #queue: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  /** The last event that anyone who appends through this object knows. */
  #seen: EventId;

  private constructor(opened: OpenedSession, options: AsyncOpenOptions, isNew: boolean) {
    super(openOptionsOf(options), isNew);
    this.#seen = opened.last;
    this.#store = options.store;
    this.#start = opened.start;
  }

  /** Makes a new session for a folder. */
  static async create(cwd: string, options: AsyncCreateOptions): Promise<AsyncSessionManager> {
    const start = startOf(resolve(cwd), options, options.env ?? processEnvironment());
    return new AsyncSessionManager(await options.store.create(start), options, true);
  }

  /** Opens the newest session of the folder's project, or makes one where there is none (see `isNew`). */
  static async continueRecent(
    cwd: string,
    options: AsyncCreateOptions,
  ): Promise<AsyncSessionManager> {
    const recent = recentOf(await AsyncSessionManager.list(cwd, options));
    if (recent === undefined) return AsyncSessionManager.create(cwd, options);
    return AsyncSessionManager.open(recent.session, options);
  }

  /** Opens a session by its id or the caller's key; throws `not_found`. */
  static async open(
    session: string | { readonly key: string },
    options: AsyncOpenOptions,
  ): Promise<AsyncSessionManager> {
    const id = typeof session === "string" ? session : sessionIdOf(session.key);
    return new AsyncSessionManager(await options.store.open(id), options, false);
  }

  /** The sessions of the folder's project, newest first. */
  static list(cwd: string, { store }: AsyncOpenOptions): Promise<readonly SessionHead[]> {
    return headsOf(store, resolve(cwd));
  }

  /** All sessions of the store, newest first. */
  static listAll({ store }: AsyncOpenOptions): Promise<readonly SessionHead[]> {
    return headsOf(store);
  }

  protected override get firstId(): EventId {
    return this.#start.id;
  }

  getSessionId(): string {
    return this.#start.session;
  }

  /** The first event: where, when and by what the session was begun. */
  getHeader(): SessionStart & EventFrame {
    return this.#start;
  }

  /** The id of the last event, others' included. */
  async getLeafId(): Promise<EventId> {
    return (await this.#opened()).last;
  }

  async getTitle(): Promise<string | undefined> {
    return (await this.#opened()).meta.title ?? undefined;
  }

  async getTags(): Promise<readonly string[]> {
    return (await this.#opened()).meta.tags ?? [];
  }

  /** Appends one event; resolves when the store has acknowledged it. */
  override async append(body: EventBody, options: AppendRequest = {}): Promise<SessionEvent> {
    return (await this.appendAll([body], options))[0]!;
  }

  /** Appends several events: all of them or none. */
  async appendAll(
    bodies: readonly EventBody[],
    options: AppendRequest = {},
  ): Promise<readonly SessionEvent[]> {
    const checked = bodies.map(copied);
    this.settleStreams(checked);
    if (this.options.autoCompact !== undefined) await this.compactIfFull(checked);
    if (this.options.maxBytes !== undefined) await this.#rotateIfLarge(checked);
    return this.#put(checked, options);
  }

  protected override write(bodies: readonly EventBody[]): Promise<readonly SessionEvent[]> {
    return this.#put(bodies.map(copied));
  }

  /** As `SessionManager.setMeta`: a function is given what is known, anew where somebody else changed it meanwhile. */
  override async setMeta(change: MetaChange): Promise<SessionEvent> {
    if (typeof change !== "function") return this.append({ type: "meta", ...change });
    for (let tries = 1; ; tries += 1) {
      const { meta, last } = await this.#opened();
      const { body } = draftOf({ type: "meta", ...change(meta) });
      try {
        return (await this.#put([body], { after: { exactly: last } }))[0]!;
      } catch (error) {
        if (tries >= metaTries || !isRepriseError(error, "conflict")) throw error;
      }
    }
  }

  /** Takes the session as it is now, others' events included, and returns its last id. */
  override async reload(): Promise<EventId> {
    this.#seen = await this.getLeafId();
    return this.#seen;
  }

  /** One event by its id, of the bases too; undefined if there is none. */
  getEvent(id: EventId): Promise<SessionEvent | undefined> {
    return this.#store.event(this.#start.session, id);
  }

  /** The events of the session and its bases in order, all branches. */
  events(range: ReadRange & EventsOptions = {}): AsyncIterable<SessionEvent> {
    const { raw, ...rest } = range;
    const events = this.#store.read(this.#start.session, rest);
    return raw ? events : joinPartsAsync(events, rest.reverse ? "backward" : "forward");
  }

  /** The events from the root to an event, or to the last one: the live path. */
  async path(to?: EventId): Promise<readonly SessionEvent[]> {
    const events: SessionEvent[] = [];
    for await (const event of this.pathBack({ from: to })) events.push(event);
    return events.reverse();
  }

  /** What the model is to see now. Reads from the end back to the newest compaction, whatever the size. */
  override async buildSessionContext(request: ContextRequest = {}): Promise<BuiltContext> {
    const how = { ...request, estimate: request.estimate ?? this.options.estimate };
    return contextOf(await this.#contextPath(how), how);
  }

  /** A new session that shares everything up to an event. */
  async fork(at?: EventId, options: StartOptions = {}): Promise<AsyncSessionManager> {
    const { meta } = await this.#opened();
    const merged = { ...this.options, ...options, store: this.#store };
    const start = forkStartOf({ start: this.#start, meta }, merged);
    const opened = await this.#store.fork(this.#start.session, at, start);
    return new AsyncSessionManager(opened, merged, true);
  }

  override async rewind(to: EventId, reason?: string): Promise<SessionEvent> {
    const session = this.#start.session;
    if ((await this.#store.event(session, to)) === undefined) throw noEvent(session, to);
    return this.append(rewindTo(to, { from: (await this.#opened()).last, reason }));
  }

  /** The ends of the tree, the current one first. */
  async branches(): Promise<readonly Branch[]> {
    return branchesOf(await shapesOf(this.events()), await this.getLeafId());
  }

  async tree(): Promise<readonly TreeNode[]> {
    return treeOf(await shapesOf(this.events()), (await this.#opened()).meta);
  }

  /** Makes room in the context; returns undefined if there is nothing to take away. */
  override async compact(options: CompactOptions = {}): Promise<SessionEvent | undefined> {
    this.settleStreams();
    const how = this.compacting(options);
    const events = await this.contextEvents();
    if (options.strategy === "rotate") return this.#rotate(await summaryOf(events, how), events);
    const compaction = await compactionOf(events, how);
    if (compaction === undefined) return undefined;
    const last = events.at(-1)?.id;
    if (last !== undefined && !(await this.#isCurrent(last + 1))) throw conflict(this.#seen, last);
    return (await this.#put([draftOf(compaction).body], { after: last }))[0];
  }

  protected override async contextEvents(): Promise<readonly SessionEvent[]> {
    return (await this.#contextPath()).events;
  }

  protected override async compactAtOnce(bodies: readonly EventBody[]): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const plan = this.plan(await this.contextEvents(), bodies);
      if (plan === undefined) return;
      try {
        await this.compact({ ...this.options.autoCompact, ...plan, summarise: undefined });
        return;
      } catch (error) {
        if (tries >= compactTries || !isRepriseError(error, "conflict")) throw error;
      }
    }
  }

  /** Events as they are appended, by anybody, until the signal aborts or this object is closed. */
  async *follow(options: FollowOptions = {}): AsyncGenerator<SessionEvent> {
    const from = options.from ?? (await this.getLeafId()) + 1;
    yield* this.followers.follow({ ...options, from }, () => {
      const { session } = this.#start;
      return {
        follow: (span) => this.#store.follow(session, span),
        rest: (first) => this.#store.read(session, { from: first }),
      };
    });
  }

  /** Tokens of the whole session, counted once for each model message. */
  async usage(): Promise<Usage> {
    const sum = new UsageSum();
    for await (const event of this.events()) sum.add(event);
    return sum.total();
  }

  /** Waits for what is queued; the store stays open. */
  async close(): Promise<void> {
    this.followers.stop();
    await this.whenStreamsEnded(async () => {
      this.#isClosed = true;
      await this.#queue;
    });
  }

  #opened(): Promise<OpenedSession> {
    return this.#store.open(this.#start.session);
  }

  async #put(
    bodies: readonly EventBody[],
    {
      after,
      signal,
    }: { readonly after?: After | "any"; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<readonly SessionEvent[]> {
    if (this.#isClosed) {
      throw new RepriseError("closed", `Session ${this.#start.session} is closed.`);
    }
    const compares = bodies.some(({ type }) => conversationTypes.has(type));
    const put = this.#queue.then(async () => {
      signal?.throwIfAborted();
      const demand = after === "any" ? undefined : (after ?? (compares ? this.#seen : undefined));
      const events = await this.#store.append(this.#start.session, demand, bodies);
      await this.#saw(events, after !== undefined || compares);
      return events;
    });
    this.#queue = put.catch(() => undefined);
    const events = await put.catch((error: unknown) => {
      throw clearError(error);
    });
    this.heard(events);
    return events;
  }

  /** Moves on what this object has seen, unless others came between. */
  async #saw(events: readonly SessionEvent[], knowsAll: boolean): Promise<void> {
    const [first] = events;
    if (first === undefined) return;
    if (knowsAll || (await this.#isCurrent(first.id))) this.#seen = events.at(-1)!.id;
  }

  /** Whether only quiet events came after what this object has seen. */
  #isCurrent(before: EventId): Promise<boolean> {
    return isQuietBetween(this.#store, this.#start.session, { after: this.#seen, before });
  }

  async #contextPath(request: ContextRequest = {}): Promise<ContextPath> {
    const walk = new ContextWalk(request);
    const onDamage = (damage: Damage) => void walk.take({ kind: "damage", damage });
    for await (const event of this.pathBack({ from: request.at, onDamage })) {
      if (!walk.take({ kind: "event", event })) break;
    }
    if (!walk.isWhole) {
      for await (const event of this.events()) if (!walk.takeOpening(event)) break;
    }
    return walk.path();
  }

  /** The same from an event, or the last one, back to the root; reads no more than is asked for. */
  pathBack(range: PathRange = {}): AsyncIterable<SessionEvent> {
    return joinPartsAsync(this.#store.path(this.#start.session, range), "backward");
  }

  /** A prompt begins a turn: only there can the history be cut without splitting a call from its result. */
  async #rotateIfLarge(bodies: readonly EventBody[]): Promise<void> {
    const { maxBytes } = this.options;
    if (maxBytes === undefined || bodies[0]?.type !== "user") return;
    for (;;) {
      const { sizeBytes, last } = await this.#opened();
      if (sizeBytes < maxBytes || last === this.#start.id) return;
      // Another process may have gone on from here, now or before this one opened it.
      if (await this.#goOn()) continue;
      const { events } = await this.#contextPath();
      try {
        await this.#rotate(builtInSummary(events), events);
        return;
      } catch (error) {
        if (!isRepriseError(error, "conflict")) throw error;
        // Somebody wrote in between. Unless that was its end, the next prompt tries again.
        if (!(await this.#goOn())) return;
      }
    }
  }

  /** Goes on where the session goes on, if it was rotated. */
  async #goOn(): Promise<boolean> {
    for await (const event of this.#store.path(this.#start.session)) {
      const next = continuedIn(event);
      if (next === undefined) continue;
      if (next === false) return false;
      try {
        this.#goOnIn(await this.#store.open(next));
        return true;
      } catch (error) {
        if (isRepriseError(error, "not_found")) return false;
        throw error;
      }
    }
    return false;
  }

  async #rotate(summary: string, path: readonly SessionEvent[]): Promise<SessionEvent> {
    const { meta } = await this.#opened();
    const { after, end, next, begun } = rotationOf({ start: this.#start, meta }, { summary, path });
    await this.#put([end], { after });
    this.#goOnIn(await this.#store.create(next));
    const written = await this.#put(begun);
    return written.find(({ type }) => type === "compaction")!;
  }

  #goOnIn({ start, last }: OpenedSession): void {
    this.#start = start;
    this.#seen = last;
    void this.wentOn();
  }
}
