import { asArray, asNumber, asString, type JsonObject } from "../base/json.ts";
import { record } from "../log/journal.ts";
import { journalEntries } from "../log/read-journal.ts";
import type { Home } from "../store/home.ts";
import { forgottenKind } from "../store/undo.ts";
import { type MemoryEntry, userOwner } from "./entry.ts";
import { memoryFolder, namedNamespace, namespacesIn, userNamespace } from "./namespace.ts";
import { NamespaceLog } from "./namespace-log.ts";
import { plainLine } from "./plain-text.ts";

/** The kind of the journal's entries about memories that the user changed by hand. */
export const memoryKind = "memory";

/** What the user did with a memory. */
export const memoryDeeds = ["remembered", "stored", "changed", "approved", "rejected"] as const;
/** One of the things that the user does with a memory. */
export type MemoryDeed = (typeof memoryDeeds)[number];

/** Which memory was changed, and from which version to which: never what it says, which may be forgotten. */
export interface ChangedMemory {
  readonly namespace: string;
  readonly id: string;
  readonly did: MemoryDeed;
  /** 0 for a new memory. */
  readonly before: number;
  readonly version: number;
}

/** Writes down that the user changed a memory; what an agent changes cannot be undone by the user's `undo`. */
export function recordChange(
  home: Home,
  did: MemoryDeed,
  change: { readonly before: number; readonly entry: MemoryEntry; readonly owner: string },
): void {
  const { before, owner } = change;
  const { namespace, id, version } = change.entry;
  if (owner !== userOwner || version === before) return;
  record(home.journal, memoryKind, { namespace, id, did, before, version });
}

/** Writes down that memories were forgotten for good: what was done to them before cannot be undone any more. */
export function recordForgotten(home: Home, ids: readonly string[]): void {
  if (ids.length === 0) return;
  const gone = new Set<unknown>(ids);
  const changes = [...journalEntries(home.journal, [memoryKind])];
  const closes = changes.filter(({ data }) => gone.has(data["id"])).map(({ id }) => id);
  record(home.journal, forgottenKind, { count: ids.length, closes });
}

/** What an entry of the journal says of a memory; undefined if it says too little. */
export function changeIn(data: JsonObject): ChangedMemory | undefined {
  const { namespace, id, before, version } = data;
  const did = memoryDeeds.find((one) => one === data["did"]);
  const names = [asString(namespace), asString(id)] as const;
  const numbers = [asNumber(before), asNumber(version)] as const;
  if (did === undefined || asArray([...names, ...numbers]).includes(undefined)) return undefined;
  return { namespace: names[0]!, id: names[1]!, did, before: numbers[0]!, version: numbers[1]! };
}

const shownChars = 60;

/** Says what was done with which memory, by its first words as long as it is there. */
export function changeText(home: Home, data: JsonObject): string {
  const change = changeIn(data);
  if (change === undefined) return "change of a memory";
  const { namespace, id, did } = change;
  const folder = memoryFolder(home.root);
  const key = keyOf(
    new NamespaceLog(folder, namedNamespace(namespace, folder), { sync: "none" }),
    id,
  );
  const which =
    key === undefined ? "a memory" : `memory ${JSON.stringify(plainLine(key, shownChars))}`;
  const known = namespacesIn(folder).find(({ name }) => name === namespace);
  const place =
    namespace === userNamespace.name ? "every project" : (known?.project?.name ?? namespace);
  return `${which}, ${did} for ${place}`;
}

/** Every version of a memory has the same key: its words, or the name it was stored under. */
function keyOf(log: NamespaceLog, id: string): string | undefined {
  for (const { fact } of log.facts())
    if (fact.kind === "put" && fact.entry.id === id) return fact.entry.key;
  return undefined;
}
