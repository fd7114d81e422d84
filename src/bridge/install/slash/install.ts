import { readFileSync } from "node:fs";
import {
  type FilePrint,
  isUntouched,
  removeAdded,
  StagedFile,
} from "../../../additions/added-file.ts";
import { asArray, asNumber, asString, isObject } from "../../../base/json.ts";
import { journalEntries, record } from "../../../log/journal.ts";
import type { EventId } from "../../../model/event.ts";
import type { Home } from "../../../store/home.ts";
import { registerUndo } from "../../../store/undo.ts";
import type { SlashPage } from "./pages.ts";

/** The kind of the journal's entries about commands of agents. */
const kind = "slash-commands";
const removedKind = "slash-commands-removed";

/** What would happen to one page. */
export interface SlashStep {
  readonly page: SlashPage;
  /** `kept`: it is there as it should be; `foreign`: another hand wrote or changed it, so it stays. */
  readonly does: "add" | "renew" | "kept" | "foreign";
}

/** Says what an installation would do; nothing of another's hand is ever touched (P3). */
export function planPages(home: Home, pages: readonly SlashPage[]): readonly SlashStep[] {
  const ours = ownPrints(home);
  return pages.map((page) => {
    const now = textAt(page.path);
    if (now === undefined) return { page, does: "add" };
    if (now === page.text) return { page, does: "kept" };
    const print = ours.get(page.path);
    return { page, does: print !== undefined && isUntouched(print) ? "renew" : "foreign" };
  });
}

/** Adds and renews what was planned; returns the number of the journal's entry, or undefined where nothing was to do. */
export function addPages(
  home: Home,
  agent: string,
  steps: readonly SlashStep[],
): EventId | undefined {
  const ours = ownPrints(home);
  const files: FilePrint[] = [];
  for (const { page, does } of steps) {
    if (does !== "add" && does !== "renew") continue;
    const old = ours.get(page.path);
    if (does === "renew" && old !== undefined) removeAdded([{ ...old, folders: [] }]);
    const file = new StagedFile(page.path);
    file.write(page.text);
    files.push({ ...file.publish(), ...(old?.folders !== undefined && { folders: old.folders }) });
  }
  return files.length === 0 ? undefined : record(home.journal, kind, { agent, files });
}

/** The pages that are ours and still as we wrote them, and those that were changed since. */
export function ownPages(
  home: Home,
  pages: readonly SlashPage[],
): { readonly untouched: readonly FilePrint[]; readonly changed: readonly string[] } {
  const ours = ownPrints(home);
  const prints = pages.flatMap(({ path }) => ours.get(path) ?? []);
  const there = prints.filter(({ path }) => textAt(path) !== undefined);
  const untouched = there.filter(isUntouched);
  const changed = there.filter((print) => !untouched.includes(print)).map(({ path }) => path);
  return { untouched, changed };
}

/** Removes pages that are ours. */
export function removePages(home: Home, agent: string, prints: readonly FilePrint[]): void {
  removeAdded(prints);
  record(home.journal, removedKind, { agent, removed: prints.map(({ path }) => path) });
}

/** Lets `undo` take an installation back, as long as nobody changed a page since. */
export function registerSlashUndo(): void {
  registerUndo(kind, async (_home, data) => {
    const prints = printsIn(data["files"]).filter(({ path }) => textAt(path) !== undefined);
    removeAdded(prints);
    return prints.length === 1 ? "removed 1 command" : `removed ${prints.length} commands`;
  });
}

/** What we added and did not take away again, by path; the newest word counts. */
function ownPrints(home: Home): ReadonlyMap<string, FilePrint> {
  const prints = new Map<string, FilePrint>();
  for (const entry of journalEntries(home.journal)) {
    if (entry.kind !== kind && entry.kind !== removedKind) continue;
    for (const print of printsIn(entry.data["files"])) prints.set(print.path, print);
    for (const path of asArray(entry.data["removed"])) prints.delete(String(path));
  }
  return prints;
}

function printsIn(value: unknown): readonly FilePrint[] {
  return asArray(value).flatMap((file) => {
    if (!isObject(file)) return [];
    const path = asString(file["path"]);
    const sizeBytes = asNumber(file["sizeBytes"]);
    const sha256 = asString(file["sha256"]);
    if (path === undefined || sizeBytes === undefined || sha256 === undefined) return [];
    const folders = asArray(file["folders"]).filter((folder) => typeof folder === "string");
    return [{ path, sizeBytes, sha256, ...(folders.length > 0 && { folders }) }];
  });
}

function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
