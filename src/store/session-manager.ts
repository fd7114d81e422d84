import { resolve } from "node:path";
import { isRepriseError } from "../base/errors.ts";
import { failpoint } from "../base/failpoint.ts";
import { sessionIdOf } from "../base/ids.ts";
import { clearEach, clearError, clearly } from "../base/system-error.ts";
import { totalUsage } from "../context/usage.ts";
import type { Seen } from "../log/seen.ts";
import type { AppendOptions } from "../log/writer-options.ts";
import type { EventBody, EventFrame, EventId, SessionEvent, SessionStart } from "../model/event.ts";
import type { SessionHead } from "../model/head.ts";
import type { Usage } from "../model/usage.ts";
import { builtInSummary, compactionNow, compactionOf, summaryOf } from "./compact.ts";
import { contextOf, contextPath } from "./context-path.ts";
import type { FollowOptions, PathRange, ReadRange } from "./contract.ts";
import { type BuiltContext, type ContextRequest, Conversation } from "./conversation.ts";
import { draftOf, metaDraft } from "./draft.ts";
import { followLog } from "./follow.ts";
import { listHeads } from "./list.ts";
import { eventIn, noEvent } from "./log-store.ts";
import { pathBack } from "./path-back.ts";
import { identifyProject } from "./project.ts";
import { readEvents } from "./read-events.ts";
import { headsOf } from "./recent.ts";
import { rewindTo } from "./rewind.ts";
import { rotationOf } from "./rotation.ts";
import type { EventsOptions, SessionLog } from "./session-log.ts";
import {
  type AppendRequest,
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
  storeAndFolder,
} from "./sessions.ts";
import { type Branch, branchesOf, type TreeNode, treeOf } from "./tree.ts";
import type { MetaChange } from "./typed-appends.ts";

function firstOf(events: readonly SessionEvent[]): SessionEvent {
  return events[0]!;
}

/**
 * One session: append, read, build the model's context, fork, rewind, compact. The log is the truth;
 * everything else here is a view of it.
 */
export class SessionManager extends Conversation {
  /** What people see of it; the entry is minified. */
  static override readonly name = "SessionManager";
  #log: SessionLog;
  #seen: Seen;

  private constructor(log: SessionLog, options: OpenOptions, isNew: boolean) {
    super(openOptionsOf(options), isNew);
    this.#log = log;
    this.#seen = { last: isNew ? log.start.id : log.lastId() };
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

  /** Opens a session by its file, its id or the caller's key; nothing is written until the first append. */
  static open(
    fileOrId: string | { readonly key: string },
    options: OpenOptions & { readonly dir?: string } = {},
  ): SessionManager {
    const session = typeof fileOrId === "string" ? fileOrId : sessionIdOf(fileOrId.key);
    const log = clearly(() => openLog(session, options));
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
    if (options.store !== undefined) {
      if (dir !== undefined) throw storeAndFolder();
      return headsOf(options.store, resolve(cwd));
    }
    const home = homeFor(dir, options);
    const project = dir === undefined ? identifyProject(resolve(cwd)).identity : undefined;
    return listHeads(home, { project, cache: true });
  }

  /** All sessions of this user, newest first. */
  static async listAll(options: OpenOptions = {}): Promise<readonly SessionHead[]> {
    if (options.store !== undefined) return headsOf(options.store);
    return listHeads(homeFor(undefined, options), { cache: true });
  }

  protected override get firstId(): EventId {
    return this.#log.start.id;
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
  override append(body: EventBody, options: AppendRequest = {}): Promise<SessionEvent> {
    const { autoCompact, maxBytes } = this.options;
    if (autoCompact !== undefined || maxBytes !== undefined) {
      return this.appendAll([body], options).then(firstOf);
    }
    try {
      this.settleStreams([body]);
      const demand = this.#demand(options);
      return this.#log.append([draftOf(body)], demand).then(this.#acknowledged, refused);
    } catch (error) {
      return Promise.reject(clearError(error));
    }
  }

  /** Appends several events in one write: all of them or none. */
  async appendAll(
    bodies: readonly EventBody[],
    options: AppendRequest = {},
  ): Promise<readonly SessionEvent[]> {
    if (this.options.autoCompact !== undefined) await this.compactIfFull(bodies);
    if (this.options.maxBytes !== undefined) this.#rotateIfLarge(bodies);
    this.settleStreams(bodies);
    const demand = this.#demand(options);
    const events = await this.#log.append(bodies.map(draftOf), demand).catch(refused);
    this.heard(events);
    return events;
  }

  protected override async write(bodies: readonly EventBody[]): Promise<readonly SessionEvent[]> {
    const demand = this.#demand({});
    const events = await this.#log.append(bodies.map(draftOf), demand).catch(refused);
    this.heard(events);
    return events;
  }

  /** Appends one event and blocks until it is as durable as promised. */
  appendSync(body: EventBody, options: AppendRequest = {}): SessionEvent {
    return this.appendAllSync([body], options)[0]!;
  }

  /** Appends several events in one write, all of them or none, and blocks until they are as durable as promised. */
  appendAllSync(
    bodies: readonly EventBody[],
    options: AppendRequest = {},
  ): readonly SessionEvent[] {
    if (this.options.autoCompact !== undefined) this.compactAtOnce(bodies);
    if (this.options.maxBytes !== undefined) this.#rotateIfLarge(bodies);
    this.settleStreams(bodies);
    const demand = this.#demand(options);
    const events = clearly(() => this.#log.appendSync(bodies.map(draftOf), demand));
    this.heard(events);
    return events;
  }

  /**
   * Records a change of title, tags, pin, model, cwd or git state. A function is given what is known of title,
   * tags, labels and pin when the change is written, so that no other change is lost.
   */
  override setMeta(change: MetaChange): Promise<SessionEvent> {
    if (typeof change !== "function") return this.append({ type: "meta", ...change });
    const demand = this.#demand({});
    return this.#log.append([metaDraft(change)], demand).then(this.#acknowledged, refused);
  }

  /** Takes the session as it is now, others' events included, and returns its last id. */
  override reload(): EventId {
    this.#seen = { last: this.#log.lastId() };
    return this.#seen.last;
  }

  /** One event by its id, of the bases too; undefined if there is none. */
  getEvent(id: EventId): SessionEvent | undefined {
    return clearly(() => eventIn(this.#log, id));
  }

  /** The events of the session and its bases in order, all branches, one after the other as they are asked for. */
  *entries(options: EventsOptions = {}): Generator<SessionEvent> {
    yield* clearEach(() => this.#log.events(options));
  }

  /** The events of the session and its bases in order, all branches. */
  async *events(options: ReadRange & EventsOptions = {}): AsyncGenerator<SessionEvent> {
    yield* clearEach(() => readEvents(this.#log, options));
  }

  /** The events from the root to an event, or to the last one: the live path. */
  path(to?: EventId): readonly SessionEvent[] {
    const steps = clearly(() => [...this.#log.path(to)]);
    return steps.flatMap((step) => (step.kind === "event" ? [step.event] : [])).reverse();
  }

  /** The same from an event, or the last one, back to the root; reads no more than is asked for. */
  *pathBack(range: PathRange = {}): Generator<SessionEvent> {
    yield* clearEach(() => pathBack(this.#log, range));
  }

  /** What the model is to see now. Reads from the end back to the newest compaction, whatever the size. */
  override buildSessionContext(request: ContextRequest = {}): BuiltContext {
    const how = { ...request, estimate: request.estimate ?? this.options.estimate };
    return contextOf(
      clearly(() => contextPath(this.#log, how)),
      how,
    );
  }

  /** A new session that shares everything up to an event; costs the same at any size. */
  fork(at?: EventId, options: Omit<CreateOptions, "persistence" | "seal"> = {}): SessionManager {
    const merged = { ...this.options, ...options };
    const log = clearly(() => forkLog(this.#log, at, merged));
    return new SessionManager(log, merged, true);
  }

  /** Goes back to an event; what came after stays in the log, and a rewind to `from` undoes it. */
  override async rewind(to: EventId, reason?: string): Promise<SessionEvent> {
    const from = this.#log.lastId();
    if (!this.#log.has(to)) throw noEvent(this.#log.session, to);
    return this.append(rewindTo(to, { from, reason }));
  }

  /** The ends of the tree, the current one first. */
  branches(): readonly Branch[] {
    return branchesOf(this.#log.shapes(), this.#log.lastId());
  }

  tree(): readonly TreeNode[] {
    return treeOf(this.#log.shapes(), this.#log.meta());
  }

  /** Makes room in the context; returns undefined if there is nothing to take away. */
  override async compact(options: CompactOptions = {}): Promise<SessionEvent | undefined> {
    this.settleStreams();
    const how = this.compacting(options);
    const { events } = clearly(() => contextPath(this.#log));
    if (options.strategy === "rotate") return this.#rotate(await summaryOf(events, how), events);
    const compaction = await compactionOf(events, how);
    if (compaction === undefined) return undefined;
    const after = events.at(-1)?.id;
    const demand = { after, seen: this.#seen };
    const [event] = await this.#log.append([draftOf(compaction)], demand).catch(refused);
    failpoint("compact.after-append");
    this.heard([event!]);
    return event;
  }

  /** Events as they are appended, by this process or another one, until the signal aborts or the session is closed. */
  follow(options: FollowOptions = {}): AsyncIterable<SessionEvent> {
    const from = options.from ?? this.#log.lastId() + 1;
    return this.followers.follow({ ...options, from }, () => {
      const log = this.#log;
      return {
        follow: (span) => followLog(log, span),
        rest: (first) => log.events({ from: first, raw: true }),
      };
    });
  }

  protected override contextEvents(): readonly SessionEvent[] {
    return clearly(() => contextPath(this.#log)).events;
  }

  protected override compactAtOnce(bodies: readonly EventBody[]): void {
    if (!this.mayLackRoom(bodies)) return;
    this.settleStreams();
    const events = this.contextEvents();
    const plan = this.plan(events, bodies);
    if (plan === undefined) return;
    const how = this.compacting({ ...this.options.autoCompact, ...plan });
    if (how.strategy === "rotate") this.#rotate(builtInSummary(events, how), events);
    else this.#compactNow(events, how);
  }

  #compactNow(events: readonly SessionEvent[], how: CompactOptions): void {
    const compaction = compactionNow(events, how);
    if (compaction === undefined) return;
    const after = events.at(-1)?.id;
    const demand = { after, seen: this.#seen };
    this.heard(clearly(() => this.#log.appendSync([draftOf(compaction)], demand)));
  }

  /** Tokens of the whole session, counted once for each model message. */
  usage(): Usage {
    return totalUsage(this.#log.events());
  }

  /** Writes what is queued and gives the session free for others. */
  close(): Promise<void> {
    this.followers.stop();
    return this.whenStreamsEnded(() => this.#log.close()).catch(refused);
  }

  #demand({ after, signal }: AppendRequest): AppendOptions {
    const seen = this.#seen;
    if (after === undefined) return { seen, signal };
    return { seen, signal, takesAll: true, ...(after !== "any" && { after }) };
  }

  readonly #acknowledged = (events: readonly SessionEvent[]): SessionEvent => {
    this.heard(events);
    return firstOf(events);
  };

  /** A prompt begins a turn: only there can the history be cut without splitting a call from its result. */
  #rotateIfLarge(bodies: readonly EventBody[]): void {
    const { maxBytes } = this.options;
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
    const next = continuationOf(this.#log, this.options);
    if (next === undefined) return false;
    this.#goOnIn(next);
    return true;
  }

  #rotate(summary: string, events: readonly SessionEvent[]): SessionEvent {
    const old = { start: this.#log.start, meta: this.#log.meta() };
    const rotation = rotationOf(old, { summary, path: events });
    const { log, events: written } = rotateLog(this.#log, rotation, this.options);
    this.#goOnIn(log);
    this.heard(written);
    return written.find(({ type }) => type === "compaction")!;
  }

  #goOnIn(log: SessionLog): void {
    const old = this.#log;
    this.#log = log;
    this.#seen = { last: log.lastId() };
    void this.wentOn().then(() => old.close());
  }
}

/** What the system refused, as an error of ours. */
function refused(error: unknown): never {
  throw clearError(error);
}
