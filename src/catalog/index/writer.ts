import type { SessionRef } from "../../agents/contract.ts";
import { limits } from "../../base/limits.ts";
import type { SessionHead } from "../../model/head.ts";
import type { Connection, SqlValue, Statement } from "../../sqlite/connection.ts";
import { EventRows } from "./event-rows.ts";
import { isPrompt, sessionLength } from "./event-weight.ts";
import { headColumns } from "./head-columns.ts";
import { partsIn } from "./identifier-parts.ts";
import { kindNumber } from "./kind.ts";
import { isBefore, type Owner } from "./owner.ts";
import type { Learnt, Row, RowBatch } from "./read-rows.ts";
import { Statements } from "./statements.ts";
import { titlePlace } from "./title-place.ts";

/** Where a source was read to. */
export interface ReadTo {
  /** Null where the next reading begins anew. */
  readonly cursor: string | null;
  readonly ref: SessionRef;
  readonly revision: number;
  readonly state: number;
}

const titleRow: Row = {
  number: "",
  what: kindNumber("title"),
  atSeconds: null,
  key: null,
  words: "",
  parts: "",
  tool: null,
  act: null,
  files: [],
};

interface FoundTitle {
  readonly id: number | null;
  readonly marked: string | null;
}

/** Puts sessions into the index. Only the holder of its lease makes one. */
export class CatalogWriter {
  readonly #connection: Connection;
  readonly #statements: Statements;
  readonly #events: EventRows;
  readonly #owners = new Map<number, Owner>();
  #nextEvent: number;
  #open = false;
  #chars = 0;
  /** Since the log was folded in. */
  #written = 0;
  /** Keys of the events that the source had before it was cleared. */
  #freed: number[] = [];
  /** Events of the present batch that another source has. */
  #copies = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#statements = new Statements(connection);
    this.#events = new EventRows(this.#statements);
    connection.exec("pragma cache_size = -8192");
    const last = connection.prepare("select max(id) as id from event").get() as {
      id: number | null;
    };
    this.#nextEvent = (last.id ?? 0) + 1;
  }

  /** Begins a transaction where none is open. */
  begin(): void {
    if (this.#open) return;
    // What a sweep saw was compared with what is about to change.
    this.#connection.exec("begin immediate");
    this.#open = true;
  }

  /** Makes everything so far visible and safe from a kill. */
  commit(): void {
    if (!this.#open) return;
    this.#connection.exec("commit");
    this.#open = false;
    this.#written += this.#chars;
    this.#chars = 0;
  }

  /** Gives up what was not committed; what was learnt on the way is not true any more, so it writes nothing more. */
  abandon(): void {
    if (!this.#open) return;
    this.#open = false;
    try {
      this.#connection.exec("rollback");
    } catch {
      // The failure that led here may have rolled back already.
    }
  }

  /** Folds the log of a large change into the index: it would take as much room again. A reader may be in the way. */
  foldLog(): void {
    if (this.#written < limits.catalogLogChars) return;
    this.#connection.prepare("pragma wal_checkpoint(truncate)").get();
    this.#written = 0;
  }

  /** Commits when enough has gathered. */
  commitWhenFull(): void {
    if (this.#chars >= limits.catalogBatchChars) this.commit();
  }

  /** The source of a place, made if it is new. */
  sourceFor(ref: SessionRef): number {
    this.#freed = [];
    const place = [ref.path, ref.part ?? "", ref.agent];
    const found = this.#statement(
      "select id from source where path = ? and part = ? and agent = ?",
    ).get(...place) as { id: number } | undefined;
    if (found !== undefined) return found.id;
    this.#statement(
      `insert into source (path, part, agent, session, root, size, modified, revision)
       values (?, ?, ?, ?, ?, -1, -1, 0)`,
    ).run(...place, ref.session, ref.root ?? null);
    const made = this.#statement("select last_insert_rowid() as id").get() as { id: number };
    return made.id;
  }

  /** The cursor a session can be read on from. */
  cursorOf(ref: SessionRef): string | undefined {
    const row = this.#statement(
      "select cursor from source where path = ? and part = ? and agent = ?",
    ).get(ref.path, ref.part ?? "", ref.agent) as { cursor: string | null } | undefined;
    return row?.cursor ?? undefined;
  }

  /** Whether a source is the session of a subagent, as its head said when it was read. */
  isOfSubagent(source: number): boolean {
    const row = this.#statement("select relation from source where id = ?").get(source);
    return (row as { readonly relation: string | null }).relation === "subagent";
  }

  /** Forgets all events of a source. */
  clear(source: number): void {
    const range = this.#statement(
      "select first_event as first, last_event as last, title_event as title from source where id = ?",
    ).get(source) as { first: number | null; last: number | null; title: number | null };
    if (range.title !== null) this.#events.remove(range.title);
    if (range.first !== null && range.last !== null) {
      const ids = this.#statement(
        "select id from event where id between ? and ? and source = ?",
      ).all(range.first, range.last, source) as { id: number }[];
      if (ids.length > 0) {
        // No index leads from an event to its key: one pass over the keys instead.
        const freed = this.#statement(
          `delete from seen where event between ? and ?
           and event in (select id from event where id between ? and ? and source = ?) returning key`,
        ).all(range.first, range.last, range.first, range.last, source) as { key: number }[];
        for (const { key } of freed) this.#freed.push(key);
        for (const { id } of ids) this.#events.remove(id);
      }
    }
    this.#statement(
      `update source set cursor = null, events = 0, rows = 0, texts = 0, length = 0, prompts = 0, prompt = null,
       first_event = null, last_event = null, title_event = null, copies = 0 where id = ?`,
    ).run(source);
  }

  /** Forgets everything a source said; only its place is still known. */
  forget(source: number): void {
    this.clear(source);
    this.#statement(
      `update source set title = null, marked_title = null, tags = null, marked_tags = null, cwd = null, project = null,
       branch = null, remote = null, author = null where id = ?`,
    ).run(source);
  }

  /** Has every session that holds copies of others' events read again. */
  unreadCopies(except: number): void {
    this.#statement(
      "update source set cursor = null, modified = -1 where copies > 0 and id <> ?",
    ).run(except);
  }

  /** Adds rows to a source; copies of events that another source has are left out. */
  add(source: number, batch: RowBatch): void {
    const first = this.#nextEvent;
    this.#copies = 0;
    const { rows } = this.#statement("select rows from source where id = ?").get(source) as {
      rows: number;
    };
    let texts = 0;
    let length = 0;
    for (const [at, row] of batch.rows.entries()) {
      const id = this.#nextEvent++;
      this.#chars += row.words.length;
      if (!this.#isOwn(source, row.key, id)) continue;
      this.#events.put(id, { source, place: rows + at }, row);
      texts += 1;
      length += sessionLength(row.what);
    }
    const prompt = batch.rows.find(({ what }) => isPrompt(what))?.number;
    const last = this.#nextEvent - 1;
    const range = last >= first ? [first, first, last, last] : [null, null, null, null];
    // Numbers that copies did not need are given again: what comes later may have lower ones.
    this.#statement(
      `update source set events = events + ?, copies = copies + ?, rows = rows + ?, texts = texts + ?,
       length = length + ?, prompts = prompts + ?, prompt = coalesce(prompt, ?),
       first_event = coalesce(min(first_event, ?), first_event, ?),
       last_event = coalesce(max(last_event, ?), last_event, ?) where id = ?`,
    ).run(
      batch.events,
      this.#copies,
      batch.rows.length,
      texts,
      length,
      batch.prompts,
      prompt ?? null,
      ...range,
      source,
    );
  }

  /** Writes down what a head says about a session. */
  describe(source: number, head: SessionHead): void {
    this.#statement(
      `update source set named = ?, created = ?, updated = ?, title = ?, tags = ?, cwd = ?,
       project = ?, branch = ?, remote = ?, model = ?, author = ?, relation = ? where id = ?`,
    ).run(...headColumns(head), source);
    this.#owners.delete(source);
    // A name the user gave is findable whatever the agent calls the session.
    const isTitled = head.titled === true && head.title !== undefined;
    if (isTitled || this.#titleOf(source).marked !== null) this.setTitle(source, head.title ?? "");
  }

  /** Writes down what new events said about a session. */
  learn(source: number, learnt: Learnt): void {
    const { title, tags, model, updatedMs } = learnt;
    if (title !== undefined) {
      this.#statement("update source set title = ? where id = ?").run(title, source);
      this.setTitle(source, title);
    }
    if (tags === undefined && model === undefined && updatedMs === undefined) return;
    this.#statement(
      `update source set tags = coalesce(?, tags), model = coalesce(?, model),
       updated = max(coalesce(updated, 0), ?) where id = ?`,
    ).run(tags === undefined ? null : JSON.stringify(tags), model ?? null, updatedMs ?? 0, source);
  }

  /** Makes a title findable in the place of the one before; the one the user gave stands above it. */
  setTitle(source: number, title: string): void {
    const before = this.#titleOf(source);
    if (before.id !== null) this.#events.remove(before.id);
    const id = this.#nextEvent++;
    const words = before.marked ?? title;
    this.#events.put(
      id,
      { source, place: titlePlace },
      { ...titleRow, words, parts: partsIn({ kind: "title" }, words) },
    );
    this.#statement("update source set title_event = ? where id = ?").run(id, source);
  }

  /** Writes down where a source was read to; while its file has that size and time it counts as fresh. */
  readTo(source: number, { cursor, ref, revision, state }: ReadTo): void {
    this.#statement(
      `update source set cursor = ?, size = ?, modified = ?, revision = ?, state = ?, root = ? where id = ?`,
    ).run(cursor, ref.sizeBytes, ref.modifiedMs, revision, state, ref.root ?? null, source);
    this.#owners.delete(source);
    this.#giveUp(source);
  }

  /** Runs one statement. */
  run(sql: string, ...parameters: readonly SqlValue[]): void {
    this.#statement(sql).run(...parameters);
  }

  /**
   * Has copies of what a source no longer has read again: they are all there is of it. Where it has everything it
   * had, nobody lost anything; sessions with copies would have each other read again and again.
   */
  #giveUp(source: number): void {
    if (this.#freed.length === 0) return;
    const lost = this.#statement(
      "select 1 from json_each(?) where not exists (select 1 from seen where key = value) limit 1",
    ).get(JSON.stringify(this.#freed));
    this.#freed = [];
    if (lost !== undefined) this.unreadCopies(source);
  }

  /** The event a source's title is found by, and the title the user gave. */
  #titleOf(source: number): FoundTitle {
    return this.#statement(
      "select title_event as id, marked_title as marked from source where id = ?",
    ).get(source) as FoundTitle;
  }

  /**
   * Whether an event belongs to this source: it was not known, or the one that has it is gone or began later,
   * whatever order they are read in. Then the other's copy is removed.
   */
  #isOwn(source: number, key: number | null, id: number): boolean {
    if (key === null || this.#events.see(key, id)) return true;
    const owned = this.#statement(
      "select seen.event as event, e.source, e.what from seen left join event e on e.id = seen.event where seen.key = ?",
    ).get(key) as { readonly event: number; readonly source: number | null; readonly what: number };
    if (owned.source === source) return false;
    if (owned.source !== null) {
      if (!isBefore(this.#owner(source), this.#owner(owned.source))) {
        this.#copies += 1;
        return false;
      }
      this.#events.remove(owned.event);
      this.#statement(
        "update source set copies = copies + 1, texts = texts - 1, length = length - ? where id = ?",
      ).run(sessionLength(owned.what), owned.source);
    }
    this.#statement("update seen set event = ? where key = ?").run(id, key);
    return true;
  }

  #owner(source: number): Owner {
    let owner = this.#owners.get(source);
    if (owner === undefined) {
      owner = this.#statement(
        "select id, state, coalesce(created, 0) as created, path || char(10) || part as path from source where id = ?",
      ).get(source) as Owner;
      this.#owners.set(source, owner);
    }
    return owner;
  }

  #statement(sql: string): Statement {
    return this.#statements.of(sql);
  }
}
