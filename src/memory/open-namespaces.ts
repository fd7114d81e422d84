import { timeOf } from "../base/clock.ts";
import { uuidv7 } from "../base/ids.ts";
import { limits } from "../base/limits.ts";
import type { SyncPolicy } from "../log/durability.ts";
import type { Connection } from "../sqlite/connection.ts";
import type { Home } from "../store/home.ts";
import type { MemoryEntry } from "./entry.ts";
import type { MemoryFact, StoredEntry } from "./fact.ts";
import { followLog } from "./follow-log.ts";
import { type IndexFile, openIndex } from "./index-file.ts";
import {
  memoryFolder,
  type Namespace,
  namedNamespace,
  namespacesIn,
  userNamespace,
} from "./namespace.ts";
import { NamespaceLog } from "./namespace-log.ts";
import type { MemoryQuery } from "./query.ts";

/** Whose memories are open, and where. */
export interface OpenOptions {
  readonly home: Home;
  readonly owner: string;
  readonly sync: SyncPolicy;
}

/** The logs of namespaces and the index, opened when they are needed and held until they are closed. */
export class OpenNamespaces {
  readonly #options: OpenOptions;
  readonly #folder: string;
  readonly #logs = new Map<string, NamespaceLog>();
  /** Ids that were looked at and are not written down yet, by namespace. */
  readonly #touched = new Map<string, Set<string>>();
  #index: IndexFile | undefined;

  constructor(options: OpenOptions) {
    this.#options = options;
    this.#folder = memoryFolder(options.home.root);
  }

  /** The namespace of a name. */
  named(name: string): Namespace {
    return namedNamespace(name, this.#folder);
  }

  /** The names of all namespaces that have a log. */
  names(): readonly string[] {
    return namespacesIn(this.#folder).map(({ name }) => name);
  }

  /** The log of a namespace. */
  log(namespace: Namespace): NamespaceLog {
    const open = this.#logs.get(namespace.file);
    if (open !== undefined) return open;
    const log = new NamespaceLog(this.#folder, namespace, { sync: this.#options.sync });
    this.#logs.set(namespace.file, log);
    return log;
  }

  /** The index, up to date with the logs that a reader of a namespace may see. */
  fresh(own: Namespace, others: MemoryQuery["namespaces"] = []): Connection {
    if (this.#index !== undefined && !this.#index.isCurrent()) {
      this.#index.close();
      this.#index = undefined;
    }
    this.#index ??= openIndex(this.#options.home.derived);
    const { connection } = this.#index;
    const named =
      others === "all" ? namespacesIn(this.#folder) : others.map((name) => this.named(name));
    for (const namespace of [own, userNamespace, ...named])
      followLog(connection, namespace, this.log(namespace));
    return connection;
  }

  /** Writes entries down, all of them or none. */
  append(target: Namespace, entries: readonly StoredEntry[]): void {
    const put = (entry: StoredEntry): MemoryFact => ({
      kind: "put",
      op: uuidv7(),
      by: this.#options.owner,
      entry,
    });
    this.log(target).append([...entries.map(put), ...this.#touchesOf(target.name)]);
  }

  /** Notes that entries were looked at, seldom: it is written with the next change, or when this is closed. */
  touch(entries: readonly MemoryEntry[]): void {
    const now = Date.now();
    for (const { id, namespace, accessedAt } of entries) {
      if (now - (timeOf(accessedAt) ?? 0) <= limits.memoryTouchMs) continue;
      const ids = this.#touched.get(namespace) ?? new Set();
      this.#touched.set(namespace, ids.add(id));
    }
  }

  /** Gives up what is held open; the next call opens it again. */
  close(): void {
    for (const name of [...this.#touched.keys()]) {
      try {
        this.log(this.named(name)).append(this.#touchesOf(name));
      } catch {
        // When something was looked at is not worth a failure, such as on a disk that cannot be written.
      }
    }
    for (const log of this.#logs.values()) log.close();
    this.#logs.clear();
    this.#index?.close();
    this.#index = undefined;
  }

  #touchesOf(namespace: string): readonly MemoryFact[] {
    const ids = this.#touched.get(namespace);
    this.#touched.delete(namespace);
    return ids === undefined
      ? []
      : [{ kind: "touch", op: uuidv7(), by: this.#options.owner, ids: [...ids] }];
  }
}
