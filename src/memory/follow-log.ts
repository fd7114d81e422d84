import { limits } from "../base/limits.ts";
import type { Connection, Statement } from "../sqlite/connection.ts";
import type { StoredEntry } from "./fact.ts";
import type { Namespace } from "./namespace.ts";
import type { NamespaceLog, ReadFact } from "./namespace-log.ts";
import { decodeValue, jsonOf, textOf } from "./value.ts";

/**
 * Brings the index up to what a namespace's log says: reads only what was appended since (P6). A log that was rewritten,
 * or is shorter than it was, is read anew.
 */
export function followLog(connection: Connection, namespace: Namespace, log: NamespaceLog): void {
  const identity = log.identity();
  const known = knownOf(connection, namespace);
  if (identity === undefined && known === undefined) return;
  const isSame = identity !== undefined && known?.inode === identity.inode;
  if (isSame && known.offset === identity.sizeBytes) return;
  connection.exec("begin immediate");
  try {
    // Another process may have done it while this one waited.
    const now = knownOf(connection, namespace);
    const goesOn = now !== undefined && identity !== undefined && now.inode === identity.inode;
    const from = goesOn && now.offset <= identity.sizeBytes ? now.offset : 0;
    if (from === 0) removeRows(connection, namespace);
    const rows = new EntryRows(connection, namespace);
    let offset = from;
    let damaged = from === 0 ? 0 : (now?.damaged ?? 0);
    const onDamage = (): void => {
      damaged += 1;
    };
    for (const read of log.facts(from, onDamage)) {
      rows.apply(read);
      offset = read.endOffset;
    }
    if (identity === undefined)
      connection.prepare("delete from log where file = ?").run(namespace.file);
    else
      connection
        .keep(
          "insert or replace into log (file, namespace, inode, offset, damaged) values (?, ?, ?, ?, ?)",
        )
        .run(namespace.file, namespace.name, identity.inode, offset, damaged);
    connection.exec("commit");
  } catch (error) {
    connection.exec("rollback");
    throw error;
  }
}

/** Whether so much was appended since the index was last used that reading it takes longer than a hook may. */
export function isFarBehind(
  connection: Connection,
  namespace: Namespace,
  log: NamespaceLog,
): boolean {
  const identity = log.identity();
  if (identity === undefined) return false;
  const known = knownOf(connection, namespace);
  const from = known?.inode === identity.inode ? known.offset : 0;
  return identity.sizeBytes - from > limits.digestBehindBytes;
}

interface Known {
  readonly inode: string;
  readonly offset: number;
  readonly damaged: number;
}

function knownOf(connection: Connection, { file }: Namespace): Known | undefined {
  return connection.keep("select inode, offset, damaged from log where file = ?").get(file) as
    | Known
    | undefined;
}

function removeRows(connection: Connection, { file }: Namespace): void {
  for (const table of ["tag", "link"])
    connection
      .prepare(`delete from ${table} where row in (select row from entry where file = ?)`)
      .run(file);
  connection
    .prepare("delete from words where rowid in (select row from entry where file = ?)")
    .run(file);
  connection.prepare("delete from entry where file = ?").run(file);
}

interface Held {
  readonly row: number;
  readonly accessed: string | null;
}

/** Writes entries into the tables, the newest version in place of the one before. */
class EntryRows {
  readonly #namespace: Namespace;
  readonly #statements: Readonly<Record<keyof typeof sql, Statement>>;

  constructor(connection: Connection, namespace: Namespace) {
    this.#namespace = namespace;
    this.#statements = Object.fromEntries(
      Object.entries(sql).map(([name, text]) => [name, connection.keep(text)]),
    ) as Record<keyof typeof sql, Statement>;
  }

  apply({ fact, at }: ReadFact): void {
    if (fact.kind === "put") {
      this.#put(fact.entry);
      return;
    }
    for (const id of fact.ids) {
      if (fact.kind === "forget") this.#remove(id);
      else this.#statements.touch.run(at, id);
    }
  }

  #put(entry: StoredEntry): void {
    const json = jsonOf(entry);
    const text = json === undefined ? "" : textIn(json);
    const before = this.#statements.row.get(entry.id) as Held | undefined;
    if (before !== undefined) this.#removeRow(before.row);
    // The same key of the same owner: what came later stands for it. What waits in the inbox stands beside it.
    const { name } = this.#namespace;
    const same = this.#statements.same.all(name, entry.key, entry.owner, isPending(entry) ? 1 : 0);
    for (const { id } of same as readonly { readonly id: string }[]) this.#remove(id);
    const { row } = this.#statements.insert.get(
      entry.id,
      this.#namespace.file,
      this.#namespace.name,
      entry.key,
      entry.type,
      entry.owner,
      entry.access,
      entry.status,
      entry.provenance,
      entry.createdAt,
      entry.updatedAt,
      before?.accessed ?? null,
      entry.expiresAt ?? null,
      entry.version,
      entry.sizeBytes,
      entry.compressed ? 1 : 0,
      entry.checksum,
      entry.supersedes ?? null,
      JSON.stringify(entry),
    ) as Pick<Held, "row">;
    for (const tag of new Set(entry.tags)) this.#statements.tag.run(tag, row);
    const links = [
      ...entry.references.map((target) => ["reference", target]),
      ...entry.dependencies.map((target) => ["dependency", target]),
      ...entry.evidence.map((one) => [
        "evidence",
        one.kind === "event" ? one.ref : one.kind === "file" ? one.path : one.commit,
      ]),
    ];
    for (const [kind, target] of links) this.#statements.link.run(row, kind!, target!);
    this.#statements.words.run(row, spread(entry.key), text, entry.tags.join(" "));
  }

  #remove(id: string): void {
    const found = this.#statements.row.get(id) as Held | undefined;
    if (found !== undefined) this.#removeRow(found.row);
  }

  #removeRow(row: number): void {
    for (const name of ["removeTags", "removeLinks", "removeWords", "removeEntry"] as const)
      this.#statements[name].run(row);
  }
}

const sql = {
  row: "select row, accessed from entry where id = ?",
  same: `select id from entry where namespace = ? and key = ? and owner = ?
    and (status in ('proposed', 'rejected')) = ?`,
  insert: `insert into entry (id, file, namespace, key, type, owner, access, status, provenance, created, updated,
    accessed, expires, version, size, compressed, checksum, supersedes, stored)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning row`,
  tag: "insert into tag (tag, row) values (?, ?)",
  link: "insert or ignore into link (row, kind, target) values (?, ?, ?)",
  words: "insert into words (rowid, key, text, tags) values (?, ?, ?, ?)",
  touch: "update entry set accessed = ? where id = ?",
  removeTags: "delete from tag where row = ?",
  removeLinks: "delete from link where row = ?",
  removeWords: "delete from words where rowid = ?",
  removeEntry: "delete from entry where row = ?",
} as const;

/** Whether nobody has agreed to it yet. */
export function isPending({ status }: { readonly status: string }): boolean {
  return status === "proposed" || status === "rejected";
}

function textIn(json: string): string {
  try {
    return textOf(decodeValue(json));
  } catch {
    return "";
  }
}

/** A key with its parts as words of their own: `testRunner.command` is found by `runner`. */
function spread(key: string): string {
  const parts = key.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/[^\p{L}\p{N}]+/gu, " ");
  return parts === key ? key : `${key} ${parts}`;
}
