import { closeSync } from "node:fs";
import { dirname, join } from "node:path";
import { atomicWrite } from "../base/atomic-write.ts";
import { exists, disk as realDisk } from "../base/disk.ts";
import { errnoOf, isRepriseError } from "../base/errors.ts";
import { statOf } from "../base/folders.ts";
import { takeLeaseSync } from "../base/lease.ts";
import { limits } from "../base/limits.ts";
import { makeFolder } from "../base/make-folder.ts";
import { openForReading } from "../base/open-file.ts";
import { storeLease } from "../base/store-leases.ts";
import type { SyncPolicy } from "../log/durability.ts";
import { formatVersion, sumBefore } from "../log/header.ts";
import { encodeBody, LineEncoder } from "../log/line.ts";
import { readLog } from "../log/read.ts";
import { LogWriter } from "../log/writer.ts";
import type { LogPlaces } from "../log/writer-options.ts";
import type { EventId, SessionStart } from "../model/event.ts";
import { soundEvent } from "../model/event-shape.ts";
import { eventOfFact, factOfEvent, type MemoryFact } from "./fact.ts";
import { type Namespace, namespaceFile } from "./namespace.ts";

/** A fact and where its line ends. */
export interface ReadFact {
  readonly id: EventId;
  readonly at: string;
  readonly fact: MemoryFact;
  readonly endOffset: number;
}

/** What identifies the bytes of a log: a rewritten one is another file. */
export interface LogIdentity {
  readonly inode: string;
  readonly sizeBytes: number;
}

/**
 * The log of one namespace: the truth about its memories (P11). Written under a lease and with sums, as sessions are.
 * Forgetting puts a new file in its place; a writer that has the old one open notices before it writes.
 */
export class NamespaceLog {
  readonly file: string;
  readonly #namespace: Namespace;
  readonly #places: LogPlaces;
  readonly #sync: SyncPolicy;
  #writer: LogWriter | undefined;

  constructor(folder: string, namespace: Namespace, options: { readonly sync: SyncPolicy }) {
    this.#namespace = namespace;
    this.#sync = options.sync;
    this.file = namespaceFile(folder, namespace);
    this.#places = {
      file: this.file,
      leases: join(folder, "writers"),
      quarantine: join(folder, "quarantine"),
      strips: join(folder, "strips"),
    };
  }

  /** Writes facts down in one write call; they are durable as the policy says when it returns. */
  append(facts: readonly MemoryFact[]): void {
    if (facts.length === 0) return;
    const drafts = facts.map((fact) => ({
      body: { type: "custom" as const, ...eventOfFact(fact) },
    }));
    for (let left = limits.memoryTries; ; left -= 1) {
      try {
        this.#open().appendSync(drafts);
        return;
      } catch (error) {
        // Somebody forgot a memory since it was opened; the writer looks before it writes, so nothing was written.
        if (left <= 1 || !isRepriseError(error, "changed_outside")) throw error;
        this.close();
      }
    }
  }

  /** Every sound fact after an offset, in order; what is damaged is passed over and counted. */
  *facts(from = 0, onDamage: () => void = () => undefined): Generator<ReadFact> {
    if (!exists(this.file)) return;
    const fd = openForReading(this.file);
    try {
      for (const item of readLog(fd, { from })) {
        if (item.kind === "unfinished") return;
        if (item.kind === "damage") {
          onDamage();
          continue;
        }
        const event = soundEvent(item.event, onDamage);
        if (event === undefined || event.type !== "custom") continue;
        const fact = factOfEvent(event.name, event.data);
        if (fact === undefined) onDamage();
        else yield { id: event.id, at: event.at, fact, endOffset: item.offset + item.length };
      }
    } finally {
      closeSync(fd);
    }
  }

  /** The bytes as they are now; undefined if nothing was stored yet. */
  identity(): LogIdentity | undefined {
    const stat = statOf(this.file);
    return stat && { inode: `${stat.dev}:${stat.ino}`, sizeBytes: stat.size };
  }

  /**
   * Puts a log in the place of this one that holds what a function makes of each fact, and what it adds; all or nothing.
   * The events keep their times; their numbers and sums are new.
   */
  rewrite(
    keep: (fact: MemoryFact) => MemoryFact | undefined,
    added: readonly { readonly at: string; readonly fact: MemoryFact }[],
  ): void {
    if (!exists(this.file) && added.length === 0) return;
    this.close();
    makeFolder(dirname(this.file));
    const lease = takeLeaseSync(storeLease(this.#places.leases, this.#namespace.file), {});
    try {
      atomicWrite(this.file, this.#rewritten(keep, added), { publish: "replace", sync: true });
    } finally {
      lease.release();
    }
  }

  /** Gives the log free for others. */
  close(): void {
    void this.#writer?.close();
    this.#writer = undefined;
  }

  *#rewritten(
    keep: (fact: MemoryFact) => MemoryFact | undefined,
    added: readonly { readonly at: string; readonly fact: MemoryFact }[],
  ): Generator<Buffer> {
    const start = this.#start();
    const encoder = new LineEncoder();
    let id = 1;
    let sum = sumBefore(start);
    const line = (at: string, body: Parameters<typeof encodeBody>[0]): Buffer => {
      const frame = { id, parent: id > 1 ? id - 1 : undefined, at };
      const encoded = encoder.encode(frame, encodeBody(body), sum);
      id += 1;
      sum = encoded.sum;
      return Buffer.from(encoded.bytes);
    };
    let isFirst = true;
    const facts = [...this.facts()].flatMap(({ at, fact }) => {
      const kept = keep(fact);
      return kept === undefined ? [] : [{ at, fact: kept }];
    });
    for (const { at, fact } of [...facts, ...added]) {
      if (isFirst) yield line(at, start);
      isFirst = false;
      yield line(at, { type: "custom", ...eventOfFact(fact) });
    }
  }

  #start(): SessionStart {
    const { file, name, project } = this.#namespace;
    return {
      type: "session_start",
      format: formatVersion,
      session: file,
      title: name,
      ...(project !== undefined && { project }),
    };
  }

  #open(): LogWriter {
    const options = { disk: realDisk, sync: this.#sync, leasePerAppend: true };
    this.#writer ??= this.#made(options);
    return this.#writer;
  }

  #made(options: Parameters<typeof LogWriter.open>[1]): LogWriter {
    for (let left = limits.memoryTries; ; left -= 1) {
      try {
        if (exists(this.file)) return LogWriter.open(this.#places, options);
        return LogWriter.create(this.#places, this.#start(), options);
      } catch (error) {
        const isRace =
          isRepriseError(error, "session_exists") ||
          errnoOf(error) === "EEXIST" ||
          errnoOf(error) === "ENOENT";
        if (left <= 1 || !isRace) throw error;
      }
    }
  }
}
