import { resolve } from "node:path";
import { processEnvironment } from "../../base/env.ts";
import { RepriseError } from "../../base/errors.ts";
import type { Home } from "../../store/home.ts";
import { type MemoryEntry, userOwner } from "../entry.ts";
import type { MemoryFact, StoredEntry } from "../fact.ts";
import { entryWith } from "../find.ts";
import { isPending } from "../follow-log.ts";
import { forgetIn } from "../forget.ts";
import { memoryFolder, type Namespace, namespacesIn } from "../namespace.ts";
import { NamespaceLog } from "../namespace-log.ts";
import { quotaOf } from "../quota.ts";
import { jsonOf } from "../value.ts";
import { type BackupDamage, type BackupNamespace, readBackup } from "./read.ts";
import { type BackupPlace, backupPlace } from "./write.ts";

/** How a backup is brought back. */
export interface RestoreOptions extends BackupPlace {
  /** `skip`: what is newer here, or has the key, stays; `overwrite`: what the backup says becomes the newest version. */
  readonly conflict?: "skip" | "overwrite";
  /** Bring back what was forgotten since, too. */
  readonly forgotten?: boolean;
  /** Restore what is sound of a damaged backup; without it a damaged one is refused. */
  readonly partial?: boolean;
  /** How many entries a namespace may have. */
  readonly mostEntries?: number;
  /** Do it; without it the plan is returned. */
  readonly apply?: boolean;
}

/** What a restore brings back, and what it leaves. */
export interface MemoryRestore {
  readonly path: string;
  readonly createdAt?: string;
  readonly namespaces: readonly string[];
  /** Entries that come back, or get a newer version. */
  readonly restored: number;
  readonly versions: number;
  /** Entries that are here as new or newer. */
  readonly kept: number;
  /** Entries whose key another entry has here. */
  readonly taken: number;
  /** Ids that were forgotten here since; they stay forgotten unless that is asked for. */
  readonly forgotten: readonly string[];
  /** Entries here that had been forgotten when the backup was made; they are forgotten here too. */
  readonly forgets: readonly string[];
  readonly damage: readonly BackupDamage[];
}

/** Brings a backup back: what is missing or older here. What was forgotten since stays forgotten, and is counted. */
export async function restoreMemories(
  path: string,
  options: RestoreOptions = {},
): Promise<MemoryRestore> {
  const { home, cwd } = backupPlace(options);
  const backup = readBackup(resolve(cwd, path));
  if (backup.damage.length > 0 && options.partial !== true) throw damagedBackup(backup);
  const { mostEntries } = quotaOf(options, options.env ?? processEnvironment());
  const parts = backup.namespaces.map((one) => planOf(one, home, { ...options, mostEntries }));
  if (options.apply === true) for (const part of parts) applyTo(part, home);
  const sum = (of: (part: Part) => number): number =>
    parts.reduce((total, part) => total + of(part), 0);
  const { createdAt, damage } = backup;
  return {
    path: backup.path,
    ...(createdAt !== undefined && { createdAt }),
    namespaces: parts.map(({ namespace }) => namespace.name),
    restored: sum(({ restored }) => restored.size),
    versions: sum(({ added }) => added.filter(({ fact }) => fact.kind === "put").length),
    kept: sum(({ kept }) => kept.size),
    taken: sum(({ taken }) => taken.size),
    forgotten: parts.flatMap(({ forgotten }) => [...forgotten]),
    forgets: parts.flatMap(({ forgets }) => forgets.map(({ id }) => id)),
    damage,
  };
}

/** What a restore does to one namespace. */
interface Part {
  readonly namespace: Namespace;
  readonly log: NamespaceLog;
  readonly added: readonly TimedFact[];
  readonly restored: ReadonlySet<string>;
  readonly kept: ReadonlySet<string>;
  readonly taken: ReadonlySet<string>;
  readonly forgotten: ReadonlySet<string>;
  readonly forgets: readonly MemoryEntry[];
}

interface TimedFact {
  readonly at: string;
  readonly fact: MemoryFact;
}

/** What is here already. */
interface Present {
  readonly ops: ReadonlySet<string>;
  readonly entries: ReadonlyMap<string, StoredEntry>;
  /** Which entry has a key of an owner. */
  readonly keys: ReadonlyMap<string, string>;
  readonly forgotten: ReadonlySet<string>;
}

function planOf(
  { namespace: given, facts }: BackupNamespace,
  home: Home,
  options: RestoreOptions & { readonly mostEntries: number },
): Part {
  const { conflict = "skip", forgotten: bringsForgotten = false, mostEntries } = options;
  const folder = memoryFolder(home.root);
  const namespace = namespacesIn(folder).find(({ file }) => file === given.file) ?? given;
  const log = new NamespaceLog(folder, namespace, { sync: "each" });
  const present = presentIn(log);
  const puts = facts.flatMap(({ fact }) => (fact.kind === "put" ? [fact.entry] : []));
  const newest = new Map(puts.map((entry) => [entry.id, entry]));
  const sets = {
    restored: new Set<string>(),
    kept: new Set<string>(),
    taken: new Set<string>(),
    forgotten: new Set<string>(),
  };
  for (const entry of newest.values()) {
    const here = present.entries.get(entry.id);
    const isSame = here?.checksum === entry.checksum && here.version === entry.version;
    const isBehind = here === undefined || here.version < entry.version;
    const holder = present.keys.get(slotOf(entry)) ?? entry.id;
    if (present.forgotten.has(entry.id) && here === undefined && !bringsForgotten)
      sets.forgotten.add(entry.id);
    else if (isSame || (!isBehind && conflict === "skip")) sets.kept.add(entry.id);
    else if (holder !== entry.id && conflict === "skip") sets.taken.add(entry.id);
    else sets.restored.add(entry.id);
  }
  const tombstones = facts.filter(
    ({ fact }) => fact.kind === "forget" && !present.ops.has(fact.op),
  );
  const gone = new Set(tombstones.flatMap(({ fact }) => (fact.kind === "forget" ? fact.ids : [])));
  const added = facts.flatMap((one) => addedOf(one, { present, restored: sets.restored, newest }));
  checkQuota(namespace, { present, restored: sets.restored, most: mostEntries });
  return {
    namespace,
    log,
    ...sets,
    added: [...tombstones, ...added],
    forgets: [...present.entries.values()]
      .filter(({ id }) => gone.has(id))
      .flatMap((stored) => entryIn(stored, namespace) ?? []),
  };
}

/** What is written of one fact: versions that are not here, the newest one above what is here. */
function addedOf(
  { at, fact }: TimedFact,
  given: {
    readonly present: Present;
    readonly restored: ReadonlySet<string>;
    readonly newest: ReadonlyMap<string, StoredEntry>;
  },
): readonly TimedFact[] {
  const { present, restored, newest } = given;
  if (fact.kind === "forget") return [];
  if (fact.kind === "touch") {
    const ids = fact.ids.filter((id) => restored.has(id) && !present.entries.has(id));
    return ids.length === 0 || present.ops.has(fact.op) ? [] : [{ at, fact: { ...fact, ids } }];
  }
  const { entry } = fact;
  if (!restored.has(entry.id)) return [];
  const here = present.entries.get(entry.id);
  if (here === undefined || entry.version > here.version) return [{ at, fact }];
  if (newest.get(entry.id) !== entry) return [];
  return [{ at, fact: { ...fact, entry: { ...entry, version: here.version + 1 } } }];
}

function applyTo({ log, added, forgets }: Part, home: Home): void {
  if (forgets.length > 0) forgetIn({ home, owner: userOwner, logOf: () => log }, forgets);
  if (added.length > 0) log.rewrite((fact) => fact, added);
}

function presentIn(log: NamespaceLog): Present {
  const ops = new Set<string>();
  const entries = new Map<string, StoredEntry>();
  const forgotten = new Set<string>();
  for (const { fact } of log.facts()) {
    ops.add(fact.op);
    if (fact.kind === "forget") for (const id of fact.ids) forgotten.add(id);
    if (fact.kind !== "put") continue;
    // In the order of what came last: of two with the same key the later one has it.
    entries.delete(fact.entry.id);
    entries.set(fact.entry.id, fact.entry);
  }
  const keys = new Map([...entries.values()].map((entry) => [slotOf(entry), entry.id]));
  return { ops, entries, keys, forgotten };
}

/** One entry of an owner has a key; what waits in the inbox stands beside it. */
function slotOf({ key, owner, status }: StoredEntry): string {
  return JSON.stringify([key, owner, isPending({ status })]);
}

function entryIn(stored: StoredEntry, { name }: Namespace): MemoryEntry | undefined {
  const json = jsonOf(stored);
  return json === undefined ? undefined : entryWith(stored, { json, namespace: name });
}

function checkQuota(
  { name }: Namespace,
  given: {
    readonly present: Present;
    readonly restored: ReadonlySet<string>;
    readonly most: number;
  },
): void {
  const { restored, most } = given;
  const { entries } = given.present;
  const more = [...restored].filter((id) => !entries.has(id)).length;
  if (entries.size + more <= most || more === 0) return;
  throw new RepriseError("too_large", `${name} would have ${entries.size + more} memories.`, {
    hint: `It may have ${most}. Clean up with \`reprise memory clean\` first; nothing was changed.`,
  });
}

const namedLines = 10;

function damagedBackup({
  path,
  damage,
}: {
  readonly path: string;
  readonly damage: readonly BackupDamage[];
}): RepriseError {
  const some = damage
    .slice(0, namedLines)
    .map(({ line, why }) => (line === undefined ? why : `line ${line}: ${why}`));
  const more = damage.length > namedLines ? `; ${damage.length - namedLines} more` : "";
  return new RepriseError("damaged", `${path} is damaged: ${some.join("; ")}${more}.`, {
    hint: "Nothing was changed. `--partial` restores what is sound.",
    details: { damage },
  });
}
