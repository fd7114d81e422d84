import { type Environment, processEnvironment } from "../base/env.ts";
import { RepriseError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import type { SyncPolicy } from "../log/durability.ts";
import type { Connection } from "../sqlite/connection.ts";
import { type Home, userHome } from "../store/home.ts";
import { type AuditLine, auditOf, type MemoryVersion, versionsOf } from "./audit.ts";
import { type Callbacks, call } from "./callbacks.ts";
import { type Cleaned, type CleanOptions, cleaningOf, idsOf, type ResetOptions } from "./clean.ts";
import { compactionOf } from "./compact.ts";
import { earlierVersion, isAsInVersion } from "./earlier-version.ts";
import { type MemoryChange, type MemoryEntry, type NewMemory, userOwner } from "./entry.ts";
import type { StoredEntry } from "./fact.ts";
import type { Reader } from "./filter.ts";
import { entryWith, type FoundMemories, findMemories } from "./find.ts";
import { isPending } from "./follow-log.ts";
import { type Forgotten, forgetIn } from "./forget.ts";
import { type MemoryRecord, recordOf } from "./formats/record.ts";
import { type Imported, type ImportOptions, importRecords } from "./import.ts";
import { indexPath } from "./index-file.ts";
import { entryExactly, entryNamed, everyMemory, unknownMemory } from "./named.ts";
import { memoryFolder, type Namespace, projectNamespace, userNamespace } from "./namespace.ts";
import type { ReadFact } from "./namespace-log.ts";
import { changedEntry, newEntry } from "./new-entry.ts";
import { OpenNamespaces } from "./open-namespaces.ts";
import type { MemoryQuery } from "./query.ts";
import { checkQuota, type Quota, quotaOf } from "./quota.ts";
import { reopened } from "./reopen.ts";
import { nextVersion, onlyTheUser, said } from "./said.ts";
import {
  type Grouping,
  groupMemories,
  type MemoryGroup,
  type MemoryStatistics,
  statisticsOf,
} from "./statistics.ts";
import { jsonOf } from "./value.ts";

/** How memories are opened. */
export interface MemoryOptions {
  /** The namespace that is written to: a name, or absent for the project of the folder. */
  readonly namespace?: string;
  /** Who stores and reads; `REPRISE_AGENT`, else `user`. */
  readonly owner?: string;
  /** Reads what is shared in every namespace, too; the user alone may. */
  readonly everywhere?: boolean;
  readonly env?: Environment;
  readonly home?: Home;
  /** When an append counts as stored: see docs/format.md. Default `each`. */
  readonly sync?: SyncPolicy;
  /** How many entries a namespace may have; else the setting `memory.maxEntries`, else 10,000. */
  readonly mostEntries?: number;
  /** How many bytes a value may have as JSON; else the setting `memory.maxEntryBytes`, else 10 MB, the most there is. */
  readonly mostEntryBytes?: number;
  readonly callbacks?: Callbacks;
}

/** Opens the memories of a project or of a named namespace; the user's own are read with them. */
export function openMemory(options: MemoryOptions = {}): Memory {
  return new Memory(options);
}

/** The memories of one namespace: the log is the truth, the index is derived from it. */
export class Memory {
  /** What people see of it; the entry is minified. */
  static readonly name = "Memory";
  readonly namespace: Namespace;
  readonly owner: string;
  readonly home: Home;
  readonly #options: MemoryOptions;
  readonly #env: Environment;
  #quota: Quota | undefined;
  readonly #open: OpenNamespaces;

  constructor(options: MemoryOptions) {
    const env = options.env ?? processEnvironment();
    this.#options = options;
    this.#env = env;
    this.home = options.home ?? userHome(env);
    this.owner = options.owner ?? (env.variables["REPRISE_AGENT"] || userOwner);
    const { home, owner } = this;
    this.#open = new OpenNamespaces({ home, owner, sync: options.sync ?? "each" });
    this.namespace =
      options.namespace === undefined
        ? projectNamespace(env.cwd, memoryFolder(this.home.root))
        : this.#open.named(options.namespace);
  }

  /** Stores a value under a key; a key that this owner has already gets a new version. */
  async store(given: NewMemory): Promise<MemoryEntry> {
    const [entry] = await this.storeAll([given]);
    return entry!;
  }

  /** Stores several in one write: all of them or none. */
  async storeAll(given: readonly NewMemory[]): Promise<readonly MemoryEntry[]> {
    await call(this.#options.callbacks, "beforeStore", given);
    const connection = this.#fresh();
    const stored: StoredEntry[] = [];
    const byKey = new Map<string, StoredEntry>();
    for (const one of given) {
      const first = newEntry(said(one, this.owner), this.owner);
      const slot = `${isPending(first) ? "pending" : "kept"} ${first.key}`;
      const old = byKey.get(slot) ?? this.#own(connection, first);
      const next = old === undefined ? first : nextVersion(old, first);
      byKey.set(slot, next);
      stored.push(next);
    }
    this.#checkQuota(connection, stored);
    await this.#put(stored);
    const namespace = this.namespace.name;
    const entries = stored.map((one) => entryWith(one, { json: jsonOf(one)!, namespace }));
    await call(this.#options.callbacks, "afterStore", entries);
    return entries;
  }

  /** The entry of a key or an id that this reader may see; the owner's own before others', the project's before the user's. */
  async get(keyOrId: string): Promise<MemoryEntry | undefined> {
    await call(this.#options.callbacks, "beforeRetrieve", keyOrId);
    const connection = this.#fresh();
    const nearness = (entry: MemoryEntry): number => this.#nearness(entry);
    const entry = entryExactly(keyOrId, this.#finder(connection), { nearness, expired: false });
    if (entry !== undefined) this.#open.touch([entry]);
    await call(this.#options.callbacks, "afterRetrieve", entry === undefined ? [] : [entry]);
    return entry;
  }

  /**
   * The one entry that a reference names: a whole key or id, or the beginning of one that no other has. Throws `not_found`,
   * or `ambiguous` with what may be meant.
   */
  async find(
    reference: string,
    { statuses = "all" }: Pick<MemoryQuery, "statuses"> = {},
  ): Promise<MemoryEntry> {
    const find = this.#finder();
    const within = (query: MemoryQuery): readonly MemoryEntry[] => find({ ...query, statuses });
    return entryNamed(reference, within, (entry) => this.#nearness(entry));
  }

  /** Changes an entry of this owner; throws `not_found` if there is none, `no_permission` if it is another's. */
  async update(keyOrId: string, change: MemoryChange): Promise<MemoryEntry> {
    await call(this.#options.callbacks, "beforeStore", [change]);
    const entry = this.#writable(keyOrId);
    const isApproval = entry.status === "proposed" && (change.status ?? "proposed") !== "proposed";
    if (isApproval && this.owner !== userOwner) throw onlyTheUser(entry);
    const changed = changedEntry(this.#storedOf(entry.id), said(change, this.owner));
    if (changed === undefined) return entry;
    const isApproved = isPending(entry) && changed.status === "kept";
    const next = isApproved ? { ...changed, approvedBy: this.owner } : changed;
    this.#checkQuota(this.#fresh(), [next]);
    await this.#put([next], entry.namespace);
    const updated = entryWith(next, { json: jsonOf(next)!, namespace: entry.namespace });
    await call(this.#options.callbacks, "afterStore", [updated]);
    return updated;
  }

  /** Takes the decision on a proposal back: it waits again as it did, and what it had replaced is in use again. */
  async reopen(keyOrId: string): Promise<MemoryEntry> {
    const entry = this.#visible(keyOrId);
    if (this.owner !== userOwner) throw onlyTheUser(entry);
    const stored = reopened(this.#factsOf(entry), entry);
    await this.#put(stored, entry.namespace);
    return this.#visible(entry.id);
  }

  /** Puts an earlier version of an entry back, as a new one. */
  async putBack(keyOrId: string, version: number): Promise<MemoryEntry> {
    const entry = this.#writable(keyOrId);
    await this.#put([earlierVersion(this.#factsOf(entry), entry, version)], entry.namespace);
    return this.#visible(entry.id);
  }

  /** Whether an entry says what it said in a version. */
  async isAsIn(keyOrId: string, version: number): Promise<boolean> {
    const entry = this.#visible(keyOrId);
    return isAsInVersion(this.#factsOf(entry), entry.id, version);
  }

  /**
   * Forgets entries for good: every version leaves the log and the index; a line stays that says which ids are gone.
   * It cannot be undone.
   */
  async forget(keysOrIds: readonly string[]): Promise<Forgotten> {
    const entries = keysOrIds.map((one) => this.#writable(one));
    this.close();
    return forgetIn(
      {
        home: this.home,
        owner: this.owner,
        logOf: (name) => this.#open.log(this.#open.named(name)),
      },
      entries,
    );
  }

  /** The memories a query means; expired ones and what waits in the inbox are left out unless it asks for them. */
  async query(query: MemoryQuery = {}): Promise<FoundMemories> {
    await call(this.#options.callbacks, "beforeRetrieve", query);
    const found = findMemories(this.#fresh(query.namespaces), query, this.#reader());
    await call(this.#options.callbacks, "afterRetrieve", found.entries);
    return found;
  }

  /** Every memory that a query means, as records to write in a format; the page of the query does not count. */
  *records(query: MemoryQuery = {}): Generator<MemoryRecord> {
    const connection = this.#fresh(query.namespaces);
    const wanted = { sort: "created", order: "ascending", ...query } as const;
    for (let offset = 0; ; offset += limits.memoryPage) {
      const page = { ...wanted, limit: limits.memoryPage, offset };
      const { entries } = findMemories(connection, page, this.#reader());
      for (const entry of entries) yield recordOf(entry);
      if (entries.length < limits.memoryPage) return;
    }
  }

  /** Brings records into this namespace, many in one write. */
  async importRecords(records: Iterable<unknown>, options?: ImportOptions): Promise<Imported> {
    const connection = this.#fresh();
    return importRecords(
      records,
      {
        owner: this.owner,
        held: (key) => this.#heldBy(connection, key, options?.exact !== true),
        put: async (entries) => {
          this.#checkQuota(connection, entries);
          await this.#put(entries);
          this.#fresh();
        },
      },
      options,
    );
  }

  /** Takes over what other processes wrote, and writes down what was looked at; every call does the first by itself. */
  async sync(): Promise<void> {
    await call(this.#options.callbacks, "beforeSync");
    this.close();
    this.#fresh();
    await call(this.#options.callbacks, "afterSync");
  }

  /** Counts memories by something they have in common. */
  async group(by: Grouping, query: MemoryQuery = {}): Promise<readonly MemoryGroup[]> {
    return groupMemories(this.#fresh(query.namespaces), by, { query, reader: this.#reader() });
  }

  /** How the memories stand: how many, how old, how sound. */
  async statistics(): Promise<MemoryStatistics> {
    const reader = this.#reader();
    const logs = reader.namespaces.map((name) => this.#open.log(this.#open.named(name)).file);
    const index = indexPath(this.home.derived);
    return statisticsOf(this.#fresh(), { reader, logs, index });
  }

  /** What a clean-up would do to this namespace; with `apply` it does it. */
  async clean(options: CleanOptions = {}): Promise<Cleaned> {
    const plan = cleaningOf(this.#fresh(), options, {
      owner: this.owner,
      namespaces: [this.namespace.name],
    });
    const log = this.#open.log(this.namespace);
    const compaction =
      options.compress === true ? compactionOf(log.facts(), options.keepVersions) : undefined;
    const cleaned = compaction === undefined ? plan : { ...plan, compress: compaction.spared };
    if (options.apply !== true) return cleaned;
    for (const id of plan.archive) await this.update(id, { status: "archived" });
    const gone = [...new Set([...plan.expired, ...plan.duplicates])];
    if (gone.length > 0) await this.forget(gone);
    if (compaction !== undefined) log.rewrite(compaction.keep, []);
    return cleaned;
  }

  /** What a reset would forget of this namespace: every entry of some types, or of all; with `apply` it forgets them. */
  async reset(options: ResetOptions = {}): Promise<readonly string[]> {
    const reader = { owner: this.owner, namespaces: [this.namespace.name] };
    const { types } = options;
    const query = {
      ...everyMemory,
      ...(types !== undefined && { types }),
      ...(this.owner !== userOwner && { owners: [this.owner] }),
    };
    const ids = idsOf(this.#fresh(), query, { reader });
    if (options.apply === true && ids.length > 0) await this.forget(ids);
    return ids;
  }

  /** Every version of an entry, the newest first. */
  async history(keyOrId: string): Promise<readonly MemoryVersion[]> {
    const entry = this.#visible(keyOrId);
    return versionsOf(this.#open.log(this.#open.named(entry.namespace)), entry, this.owner);
  }

  /** Who changed what when, the newest first. */
  async audit(limit = 100): Promise<readonly AuditLine[]> {
    return auditOf(this.#open.log(this.namespace), { limit, reader: this.owner });
  }

  /** Hashes of what was forgotten in this namespace and the user's. */
  forgottenPrints(): readonly string[] {
    return [this.namespace, userNamespace].flatMap((namespace) =>
      [...this.#open.log(namespace).facts()].flatMap(({ fact }) =>
        fact.kind === "forget" ? (fact.prints ?? []) : [],
      ),
    );
  }

  /** Gives up what is held open; the next call opens it again. */
  close(): void {
    this.#open.close();
  }

  #reader(): Reader {
    const own = this.namespace.name;
    if (this.#isEverywhere())
      return {
        owner: this.owner,
        namespaces: [own, ...this.#open.names().filter((n) => n !== own)],
      };
    // Of one namespace alone the index has an order; of two it must be made.
    const hasUser =
      own !== userNamespace.name && this.#open.log(userNamespace).identity() !== undefined;
    return { owner: this.owner, namespaces: hasUser ? [own, userNamespace.name] : [own] };
  }

  #nearness({ owner, namespace, status }: MemoryEntry): number {
    const isAgreed = isPending({ status }) ? 0 : 4;
    return isAgreed + (namespace === this.namespace.name ? 2 : 0) + (owner === this.owner ? 1 : 0);
  }

  /** The newest version of the owner's entry of the same key, if it has one. */
  #own(connection: Connection, { key, status }: StoredEntry): StoredEntry | undefined {
    return this.#heldBy(connection, key, isPending({ status }));
  }

  #heldBy(connection: Connection, key: string, pending: boolean): StoredEntry | undefined {
    const rows = connection
      .keep("select stored, status from entry where namespace = ? and key = ? and owner = ?")
      .all(this.namespace.name, key, this.owner);
    const old = (rows as readonly { readonly stored: string; readonly status: string }[]).find(
      (row) => isPending(row) === pending,
    );
    return old && (JSON.parse(old.stored) as StoredEntry);
  }

  #storedOf(id: string, connection = this.#fresh()): StoredEntry {
    const row = connection.keep("select stored from entry where id = ?").get(id);
    return JSON.parse((row as { stored: string }).stored) as StoredEntry;
  }

  #factsOf({ namespace }: MemoryEntry): Generator<ReadFact> {
    return this.#open.log(this.#open.named(namespace)).facts();
  }

  #finder(connection = this.#fresh()): (query: MemoryQuery) => readonly MemoryEntry[] {
    return (query) => findMemories(connection, query, this.#reader()).entries;
  }

  #visible(keyOrId: string): MemoryEntry {
    const nearness = (entry: MemoryEntry): number => this.#nearness(entry);
    const found = entryExactly(keyOrId, this.#finder(), { nearness, ...everyMemory });
    if (found !== undefined) return found;
    throw unknownMemory(keyOrId);
  }

  /** The user may change everything; others what is theirs. */
  #writable(keyOrId: string): MemoryEntry {
    const entry = this.#visible(keyOrId);
    if (entry.owner === this.owner || this.owner === userOwner) return entry;
    throw new RepriseError("no_permission", `${entry.key} belongs to ${entry.owner}.`, {
      hint: "Its owner or the user can change it.",
    });
  }

  async #put(entries: readonly StoredEntry[], namespace?: string): Promise<void> {
    const target = namespace === undefined ? this.namespace : this.#open.named(namespace);
    await call(this.#options.callbacks, "beforePersist", entries);
    this.#open.append(target, entries);
    await call(this.#options.callbacks, "afterPersist", entries);
  }

  #checkQuota(connection: Connection, entries: readonly StoredEntry[]): void {
    const { name } = this.namespace;
    const counted = connection.keep("select count(*) as held from entry where namespace = ?");
    const { held } = counted.get(name) as { held: number };
    this.#quota ??= quotaOf(this.#options, this.#env);
    checkQuota(entries, this.#quota, { held, name });
  }

  #fresh(others?: MemoryQuery["namespaces"]): Connection {
    return this.#open.fresh(this.namespace, this.#isEverywhere() ? "all" : others);
  }

  #isEverywhere(): boolean {
    return this.#options.everywhere === true && this.owner === userOwner;
  }
}
