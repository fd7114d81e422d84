import {
  type FilePrint,
  isUntouched,
  printsIn,
  removeAdded,
} from "../../../additions/added-file.ts";
import { removeEmpty } from "../../../additions/made-folders.ts";
import { StagedFile } from "../../../additions/staged-file.ts";
import { asArray, type JsonObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import { readRegular } from "../../../base/open-file.ts";
import { record } from "../../../log/journal.ts";
import { journalEntries } from "../../../log/read-journal.ts";
import type { EventId } from "../../../model/event.ts";
import { Addition } from "../../../store/addition.ts";
import type { Home } from "../../../store/home.ts";
import { concludeIntention, type Intention, registerSettling } from "../../../store/intention.ts";
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
export async function addPages(
  home: Home,
  agent: string,
  steps: readonly SlashStep[],
): Promise<EventId | undefined> {
  const wanted = steps.filter(({ does }) => does === "add" || does === "renew");
  if (wanted.length === 0) return undefined;
  const ours = ownPrints(home);
  const staged: StagedFile[] = [];
  const addition = new Addition(home, kind, (data) => void keepWhole(home, data));
  const { staging } = addition;
  try {
    return await addition.during(async () => {
      const files = wanted.map(({ page }) => {
        const file = new StagedFile(page.path, { staging });
        staged.push(file);
        file.write(page.text);
        const { folders = ours.get(page.path)?.folders, ...print } = file.finish();
        return { ...print, ...(folders !== undefined && { folders }) };
      });
      addition.intend({ agent, files });
      for (const [index, { page, does }] of wanted.entries()) {
        const old = ours.get(page.path);
        // Nobody may have touched it since it was looked at.
        if (does === "renew" && old !== undefined && isUntouched(old)) staged[index]!.replace();
        else staged[index]!.publish();
      }
      return addition.record({ agent, files });
    });
  } finally {
    for (const file of staged) file.abandon();
  }
}

/** Writes down the pages that are in place, where not all came to be: each is whole, old or new. */
function keepWhole(home: Home, data: JsonObject, intention?: EventId): readonly FilePrint[] {
  const planned = printsIn(data["files"]);
  const files = planned.filter(isUntouched);
  for (const { folders = [] } of planned) removeEmpty(folders);
  const over = intention === undefined ? {} : { intention };
  if (files.length > 0) record(home.journal, kind, { agent: data["agent"], files, ...over });
  else if (intention !== undefined) concludeIntention(home, intention, "nothing was added");
  return files;
}

/** Keeps what a killed installation had put in place. */
async function settlePages(home: Home, { id, data }: Intention): Promise<string> {
  const count = keepWhole(home, data, id).length;
  const done = count === 0 ? "none was added" : `${count} of them are there`;
  return `Adding commands inside ${String(data["agent"])} was killed: ${done}.`;
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

/** Lets `undo` take an installation back, as long as nobody changed a page since, and later commands settle one. */
export function registerSlash(): void {
  registerSettling(kind, settlePages);
  registerUndo(kind, async (_home, data) => {
    const prints = printsIn(data["files"]);
    const count = prints.filter(({ path }) => textAt(path) !== undefined).length;
    // Also those that are gone: folders were made for them.
    removeAdded(prints);
    return count === 1 ? "removed 1 command" : `removed ${count} commands`;
  });
}

/** What we added and did not take away again, by path; the newest word counts. */
function ownPrints(home: Home): ReadonlyMap<string, FilePrint> {
  const prints = new Map<string, FilePrint>();
  for (const entry of journalEntries(home.journal, [kind, removedKind])) {
    for (const print of printsIn(entry.data["files"])) prints.set(print.path, print);
    for (const path of asArray(entry.data["removed"])) prints.delete(String(path));
  }
  return prints;
}

function textAt(path: string): string | undefined {
  try {
    return readRegular(path, limits.settingsBytes).toString("utf8");
  } catch {
    return undefined;
  }
}
