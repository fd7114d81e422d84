import { resolve } from "node:path";
import { isRepriseError, RepriseError } from "../base/errors.ts";
import { failpoint } from "../base/failpoint.ts";
import { clearError, clearly } from "../base/system-error.ts";
import { buildContext, type Context } from "../context/build.ts";
import { shouldCompact } from "../context/compaction.ts";
import { stateOf } from "../context/state.ts";
import { totalUsage } from "../context/usage.ts";
import type { Content } from "../model/block.ts";
import type { Damage } from "../model/damage.ts";
import {
  type AssistantEvent,
  type EventBody,
  type EventFrame,
  type EventId,
  quietTypes,
  type SessionEvent,
  type SessionStart,
} from "../model/event.ts";
import type { SessionHead } from "../model/head.ts";
import type { Usage } from "../model/usage.ts";
import { contextTokens } from "../model/usage.ts";
import { builtInSummary, compactionOf } from "./compact.ts";
import { contextPath } from "./context-path.ts";
import { draftOf, metaDraft } from "./draft.ts";
import { listHeads } from "./list.ts";
import { identifyProject } from "./project.ts";
import type { EventsOptions, SessionLog } from "./session-log.ts";
import {
  type CompactOptions,
  type CreateOptions,
  type OpenOptions,
  openOptionsOf,
} from "./session-options.ts";
import {
  continuationOf,
  createLog,
  forkLog,
  homeFor,
  openLog,
  recentLog,
  rotateLog,
} from "./sessions.ts";
import { type Branch, branchesOf, type TreeNode, treeOf } from "./tree.ts";
import { type Extra, type MetaChange, TypedAppends } from "./typed-appends.ts";

/** What a session's events become for a model, and what was damaged on the way. */
export interface BuiltContext extends Context {
  readonly damage: readonly Damage[];
}

/** Hears of every acknowledged event. */
export type Listener = (event: SessionEvent) => void;

function firstOf(events: readonly SessionEvent[]): SessionEvent {
  return events[0]!;
}

/** Room for the answer, where the caller names none. */
const defaultReserveTokens = 16_384;

/**
 * One session: append, read, build the model's context, fork, rewind, compact. The log is the truth;
 * everything else here is a view of it.
 */
export class SessionManager extends TypedAppends {
  /** What people see of it; the entry is minified. */
  static override readonly name = "SessionManager";
  /** True where `continueRecent` found nothing to continue, or the session was just made. */
  readonly isNew: boolean;
  readonly #options: OpenOptions;
  readonly #listeners = new Set<Listener>();
  readonly #openCalls = new Set<string>();
  #log: SessionLog;
  #contextTokens: number | undefined;

  private constructor(log: SessionLog, options: OpenOptions, isNew: boolean) {
    super();
    this.#log = log;
    this.#options = openOptionsOf(options);
    this.isNew = isNew;
  }

  /** Makes a new session for a folder; with `dir` its file lies directly in that folder. */
  static create(cwd: string, dir?: string, options: CreateOptions = {}): SessionManager {
    const log = clearly(() => createLog(resolve(cwd), dir, options));
    return new SessionManager(log, options, true);
  }

  /** Opens the newest session of the folder's project, or makes one where there is none (see `isNew`). */
  static continueRecent(cwd: string, dir?: string, options: CreateOptions = {}): SessionManager {
    const recent =
      options.persistence === "none"
        ? undefined
        : clearly(() => recentLog(resolve(cwd), dir, options));
    if (recent !== undefined) return new SessionManager(recent, options, false);
    return SessionManager.create(cwd, dir, options);
  }

  /** Opens a session by its file or its id; nothing is written until the first append. */
  static open(
    fileOrId: string,
    options: OpenOptions & { readonly dir?: string } = {},
  ): SessionManager {
    const log = clearly(() => openLog(fileOrId, options));
    return new SessionManager(log, options, false);
  }

  /** A session that is never written to the disk. */
  static inMemory(cwd: string = process.cwd(), options: CreateOptions = {}): SessionManager {
    return SessionManager.create(cwd, undefined, { ...options, persistence: "none" });
  }

  /** The sessions of the folder's project, newest first; with `dir` all sessions that lie in it. */
  static async list(
    cwd: string,
    dir?: string,
    options: OpenOptions = {},
  ): Promise<readonly SessionHead[]> {
    const home = homeFor(dir, options);
    const project = dir === undefined ? identifyProject(resolve(cwd)).identity : undefined;
    return listHeads(home, { project, cache: true });
  }

  /** All sessions of this user, newest first. */
  static async listAll(options: OpenOptions = {}): Promise<readonly SessionHead[]> {
    return listHeads(homeFor(undefined, options), { cache: true });
  }

  getSessionId(): string {
    return this.#log.session;
  }

  /** The session's file; undefined for one in memory. */
  getSessionFile(): string | undefined {
    return this.#log.file;
  }

  /** The first event: where, when and by what the session was begun. */
  getHeader(): SessionStart & EventFrame {
    return this.#log.start;
  }

  /** The id of the last event, others' included. */
  getLeafId(): EventId {
    return this.#log.lastId();
  }

  getTitle(): string | undefined {
    return this.#log.meta().title ?? undefined;
  }

  getTags(): readonly string[] {
    return this.#log.meta().tags ?? [];
  }

  /** Appends one event; resolves when it is as durable as `sync` promises. */
  override append(
    body: EventBody,
    options: { readonly after?: EventId } = {},
  ): Promise<SessionEvent> {
    const { autoCompact, maxBytes } = this.#options;
    if (autoCompact !== undefined || maxBytes !== undefined) {
      return this.appendAll([body], options).then(firstOf);
    }
    try {
      return this.#log.append([draftOf(body)], options).then(this.#acknowledged, refused);
    } catch (error) {
      return Promise.reject(clearError(error));
    }
  }

  /** Appends several events in one write: all of them or none. */
  async appendAll(
    bodies: readonly EventBody[],
    options: { readonly after?: EventId } = {},
  ): Promise<readonly SessionEvent[]> {
    if (this.#options.autoCompact !== undefined) await this.#compactIfFull(bodies);
    if (this.#options.maxBytes !== undefined) this.#rotateIfLarge(bodies);
    const events = await this.#log.append(bodies.map(draftOf), options).catch(refused);
    this.#heard(events);
    return events;
  }

  /** Appends one event and blocks until it is as durable as promised. */
  appendSync(body: EventBody, options: { readonly after?: EventId } = {}): SessionEvent {
    if (this.#options.maxBytes !== undefined) this.#rotateIfLarge([body]);
    const events = clearly(() => this.#log.appendSync([draftOf(body)], options));
    this.#heard(events);
    return events[0]!;
  }

  /** Appends what the model said; the turn ends with it unless a tool call is still open. */
  appendAssistant(content: Content, extra: Extra<AssistantEvent> = {}): Promise<SessionEvent> {
    const endTurn = extra.endTurn ?? this.#openCalls.size === 0;
    return this.append({ type: "assistant", content, ...extra, ...(endTurn && { endTurn }) });
  }

  /**
   * Records a change of title, tags, pin, model, cwd or git state. A function is given what is known of title,
   * tags, labels and pin when the change is written, so that no other change is lost.
   */
  override setMeta(change: MetaChange): Promise<SessionEvent> {
    if (typeof change !== "function") return this.append({ type: "meta", ...change });
    return this.#log.append([metaDraft(change)]).then(this.#acknowledged, refused);
  }

  /** The events of the session and its bases in order, all branches. */
  async *events(options: EventsOptions = {}): AsyncGenerator<SessionEvent> {
    try {
      yield* this.#log.events(options);
    } catch (error) {
      throw clearError(error);
    }
  }

  /** The events from the root to an event, or to the last one: the live path. */
  path(to?: EventId): readonly SessionEvent[] {
    const steps = clearly(() => [...this.#log.path(to)]);
    return steps.flatMap((step) => (step.kind === "event" ? [step.event] : [])).reverse();
  }

  /** What the model is to see now. Reads from the end back to the newest compaction, whatever the size. */
  buildSessionContext(
    options: { readonly budgetTokens?: number; readonly at?: EventId } = {},
  ): BuiltContext {
    const { events, damage, unreadBefore } = clearly(() => contextPath(this.#log, options));
    const { budgetTokens } = options;
    const how = budgetTokens === undefined ? {} : { budgetTokens, unreadBefore };
    return { ...buildContext(events, how), damage };
  }

  /** A new session that shares everything up to an event; costs the same at any size. */
  fork(at?: EventId, options: Omit<CreateOptions, "persistence" | "seal"> = {}): SessionManager {
    const merged = { ...this.#options, ...options };
    const log = clearly(() => forkLog(this.#log, at, merged));
    return new SessionManager(log, merged, true);
  }

  /** Goes back to an event; what came after stays in the log, and a rewind to `from` undoes it. */
  async rewind(to: EventId, reason?: string): Promise<SessionEvent> {
    return this.append(this.#rewindTo(to, reason));
  }

  /** Empties the context: a rewind to the first event. */
  clear(): Promise<SessionEvent> {
    return this.rewind(this.#log.start.id, "clear");
  }

  /** The ends of the tree, the current one first. */
  branches(): readonly Branch[] {
    return branchesOf(this.#log);
  }

  tree(): readonly TreeNode[] {
    return treeOf(this.#log);
  }

  /** Makes room in the context; returns undefined where there is nothing to take away. */
  async compact(options: CompactOptions = {}): Promise<SessionEvent | undefined> {
    const { events } = clearly(() => contextPath(this.#log));
    if (options.strategy === "rotate") {
      return this.#rotate(await (options.summarise ?? builtInSummary)(events), events);
    }
    const compaction = await compactionOf(events, options);
    if (compaction === undefined) return undefined;
    const after = events.at(-1)?.id;
    const [event] = await this.#log.append([draftOf(compaction)], { after }).catch(refused);
    failpoint("compact.after-append");
    this.#heard([event!]);
    return event;
  }

  /**
   * Calls back for every event appended through this object, once it is acknowledged. What a listener throws does
   * not undo the append: it is an uncaught error of its own.
   */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tokens of the whole session, counted once for each model message. */
  usage(): Usage {
    return totalUsage(this.#log.events());
  }

  /** Says that the session is over. */
  async end(summary?: string): Promise<SessionEvent> {
    return this.append({ type: "session_end", ...(summary !== undefined && { summary }) });
  }

  /** Writes what is queued and gives the session free for others. */
  close(): Promise<void> {
    return this.#log.close().catch(refused);
  }

  readonly #acknowledged = (events: readonly SessionEvent[]): SessionEvent => {
    this.#heard(events);
    return firstOf(events);
  };

  #heard(events: readonly SessionEvent[]): void {
    for (const event of events) {
      if (event.type === "tool_use") this.#openCalls.add(event.call);
      else if (event.type === "tool_result") this.#openCalls.delete(event.call);
      else if (event.type === "user" || event.type === "rewind") this.#openCalls.clear();
      if (event.type === "assistant" && event.usage !== undefined)
        this.#contextTokens = contextTokens(event.usage);
      // What came after the last word of a model makes the context larger by nobody knows how much.
      else if (!quietTypes.has(event.type)) this.#contextTokens = undefined;
      if (this.#listeners.size > 0) this.#tell(event);
    }
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

  #rewindTo(to: EventId, reason: string | undefined): EventBody {
    const from = this.#log.lastId();
    if (!this.#log.has(to)) {
      throw new RepriseError(
        "not_found",
        `There is no event ${to} in session ${this.#log.session}.`,
      );
    }
    return { type: "rewind", to, from, ...(reason !== undefined && { reason }) };
  }

  async #compactIfFull(bodies: readonly EventBody[]): Promise<void> {
    const { autoCompact } = this.#options;
    if (autoCompact === undefined || !bodies.some((body) => body.type === "user")) return;
    this.#contextTokens ??= this.buildSessionContext().contextTokens;
    const { windowTokens, reserveTokens = defaultReserveTokens } = autoCompact;
    if (!shouldCompact({ contextTokens: this.#contextTokens, windowTokens, reserveTokens })) return;
    try {
      await this.compact(autoCompact);
    } catch (error) {
      // Something was appended while the summary was made. The prompt goes first, the next one makes room.
      if (!isRepriseError(error, "conflict")) throw error;
    }
  }

  /** A prompt begins a turn: only there can the history be cut without splitting a call from its result. */
  #rotateIfLarge(bodies: readonly EventBody[]): void {
    const { maxBytes } = this.#options;
    if (maxBytes === undefined || bodies[0]?.type !== "user") return;
    while (this.#log.sizeBytes() >= maxBytes && this.#log.lastId() !== this.#log.start.id) {
      // Another process may have gone on from here, now or before this one opened it.
      if (this.#follow()) continue;
      const { events } = contextPath(this.#log);
      try {
        this.#rotate(builtInSummary(events), events);
        return;
      } catch (error) {
        if (!isRepriseError(error, "conflict")) throw error;
        // Somebody wrote in between. Unless that was its end, the next prompt tries again.
        if (!this.#follow()) return;
      }
    }
  }

  /** Goes on where the session goes on, if it was rotated. */
  #follow(): boolean {
    const next = continuationOf(this.#log, this.#options);
    if (next === undefined) return false;
    this.#goOnIn(next);
    return true;
  }

  #rotate(summary: string, events: readonly SessionEvent[]): SessionEvent {
    const rotation = { summary, after: events.at(-1)!.id, model: stateOf(events).model };
    const { log, events: written } = rotateLog(this.#log, rotation, this.#options);
    this.#goOnIn(log);
    this.#heard(written);
    return written.find(({ type }) => type === "compaction")!;
  }

  #goOnIn(log: SessionLog): void {
    const old = this.#log;
    this.#log = log;
    this.#contextTokens = undefined;
    void old.close();
  }
}

/** What the system refused, as an error of ours. */
function refused(error: unknown): never {
  throw clearError(error);
}
