import { createHash } from "node:crypto";
import { closeSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { ByteWindow } from "../../base/byte-window.ts";
import { exists } from "../../base/disk.ts";
import type { Environment } from "../../base/env.ts";
import { fileStat, smallFile } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
import { makeFolder } from "../../base/make-folder.ts";
import { openForReading } from "../../base/open-file.ts";
import { temporaryName } from "../../base/temporary-name.ts";
import type { Damage } from "../../model/damage.ts";
import { mayBeExport, unpackedDocuments } from "./documents.ts";
import { factsOf, type Service } from "./element-facts.ts";
import { elementsOf } from "./stored-elements.ts";

/** Where an element of an export lies. */
export interface ElementPlace {
  /** An absolute path, or the name of an unpacked file beside the list. */
  readonly document: string;
  readonly offset: number;
  readonly length: number;
}

/** One conversation of an export. */
export interface Conversation {
  readonly id: string;
  readonly service: Service;
  readonly title?: string | undefined;
  readonly createdMs?: number | undefined;
  readonly updatedMs: number;
  readonly model?: string | undefined;
  readonly messages: number;
  readonly sizeBytes: number;
  /** Oldest first. */
  readonly places: readonly ElementPlace[];
}

/** What an export holds. */
export interface ExportList {
  /** The folder with the list and what was unpacked. */
  readonly folder: string;
  readonly conversations: ReadonlyMap<string, Conversation>;
  readonly damage: readonly Damage[];
}

/** The folder for lists and unpacked files: derived data, made anew where it is missing. */
export function folderFor({ variables, home, cwd }: Environment): string {
  const given = variables["REPRISE_HOME"];
  const root = given ? (isAbsolute(given) ? given : join(cwd, given)) : join(home, ".reprise");
  return join(root, "derived", "exports");
}

const listName = "list.json";
const version = 2;
const known = new Map<string, ExportList>();

/**
 * What an export holds, as it was listed when its file had the size and time it has now; else it is read once, and an archive
 * unpacked. Undefined if the file holds no conversation. Throws `too_large` or `unsupported` if it cannot be unpacked.
 */
export function listOf(path: string, root: string): ExportList | undefined {
  if (!mayBeExport(path)) return undefined;
  const name = `${hash(path)}-${hash(JSON.stringify([version, fileStat(path)]))}`;
  const folder = join(root, name);
  const remembered = known.get(folder);
  if (remembered !== undefined && exists(join(folder, listName))) return remembered;
  const list = keptList(folder) ?? madeList(path, { root, name });
  known.set(folder, list);
  return list.conversations.size === 0 && list.damage.length === 0 ? undefined : list;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 20);
}

function keptList(folder: string): ExportList | undefined {
  const text = smallFile(join(folder, listName), limits.decodedBytes);
  if (text === undefined) return undefined;
  try {
    const { conversations, damage } = JSON.parse(text) as {
      readonly conversations: readonly Conversation[];
      readonly damage: readonly Damage[];
    };
    return { folder, conversations: new Map(conversations.map((one) => [one.id, one])), damage };
  } catch {
    return undefined;
  }
}

/** Made aside and then given its name, so that it is never half there; lists of older states are removed. */
function madeList(
  path: string,
  { root, name }: { readonly root: string; readonly name: string },
): ExportList {
  makeFolder(root);
  const folder = join(root, name);
  const aside = temporaryName(folder);
  mkdirSync(aside, { mode: 0o700 });
  const damage: Damage[] = [];
  const onDamage = (one: Damage): void => {
    if (damage.length < limits.reportedDamages) damage.push(one);
  };
  try {
    const unpacked = unpackedDocuments(path, aside, onDamage);
    const conversations = gathered(unpacked ?? [path], aside, onDamage);
    const text = JSON.stringify({ conversations: [...conversations.values()], damage });
    writeFileSync(join(aside, listName), text, { mode: 0o600 });
    rmSync(folder, { recursive: true, force: true });
    renameSync(aside, folder);
    removeOlder(root, name);
    return { folder, conversations, damage };
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

function removeOlder(root: string, name: string): void {
  const [source] = name.split("-");
  for (const other of readdirSync(root))
    if (other.startsWith(`${source}-`) && other !== name && !other.endsWith(".tmp"))
      rmSync(join(root, other), { recursive: true, force: true });
}

/** Every conversation in some documents; only where its elements lie is held of each. */
function gathered(
  documents: readonly string[],
  folder: string,
  onDamage: (damage: Damage) => void,
): Map<string, Conversation> {
  const found = new Map<string, Conversation>();
  for (const document of documents) {
    const path = isAbsolute(document) ? document : join(folder, document);
    const fd = openForReading(path);
    const told: Damage[] = [];
    let isExport = false;
    try {
      const window = new ByteWindow(fd, fileStat(path)?.sizeBytes ?? 0);
      const all = elementsOf(path, window, (one) => told.push(one));
      for (const { offset, length, element } of all) {
        const facts = factsOf(element);
        if (facts === undefined) continue;
        isExport = true;
        const before = found.get(facts.id);
        const place = { document, offset, length };
        found.set(facts.id, joined(before, facts, place));
      }
    } finally {
      closeSync(fd);
    }
    // A file that holds no conversation is another one, and not damaged.
    if (isExport) for (const one of told) onDamage(one);
  }
  return found;
}

function joined(
  before: Conversation | undefined,
  { createdMs, updatedMs, ...facts }: NonNullable<ReturnType<typeof factsOf>>,
  place: ElementPlace,
): Conversation {
  const atMs = updatedMs ?? createdMs ?? 0;
  if (before === undefined)
    return { ...facts, createdMs, updatedMs: atMs, sizeBytes: place.length, places: [place] };
  // The same conversation in a second file is a copy; prompts of one day are several.
  if (facts.service !== "gemini") return before;
  return {
    ...before,
    createdMs: atMs === 0 ? before.createdMs : Math.min(before.createdMs ?? atMs, atMs),
    updatedMs: Math.max(before.updatedMs, atMs),
    messages: before.messages + 1,
    sizeBytes: before.sizeBytes + place.length,
    // Takeout lists the newest first.
    places: [place, ...before.places],
  };
}
