import { createHash } from "node:crypto";
import { existsSync, lstatSync, realpathSync, rmSync, statSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { notWritten } from "../../additions/added-file.ts";
import { missingFolders, removeEmpty } from "../../additions/made-folders.ts";
import { Running } from "../../additions/running.ts";
import { atomicWrite } from "../../base/atomic-write.ts";
import { RepriseError } from "../../base/errors.ts";
import { failpoint } from "../../base/failpoint.ts";
import { fingerprint } from "../../base/fingerprint.ts";
import { statOf } from "../../base/folders.ts";
import { asArray, asNumber, asString, type JsonObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { makeFolder } from "../../base/make-folder.ts";
import { readRegular } from "../../base/open-file.ts";
import { record } from "../../log/journal.ts";
import { journalEntries } from "../../log/read-journal.ts";
import type { EventId } from "../../model/event.ts";
import type { Home } from "../../store/home.ts";
import {
  concludeIntention,
  type Intention,
  intend,
  registerSettling,
} from "../../store/intention.ts";
import { companionsOf, registerUndo } from "../../store/undo.ts";
import type { SettingsAbout, SettingsChange } from "./install.ts";

/** The kind of the journal's entries about settings of agents. */
const kind = "settings";

/**
 * Makes a change that was planned: a backup first, the intention in the journal next, then the file in one step, then the
 * entry that can be undone.
 */
export function applyChange(home: Home, change: SettingsChange): EventId {
  return applied(home, change, undefined).entry;
}

/** Makes several changes; one undo takes all of them back. Returns the entry of each. */
export function applyChanges(home: Home, changes: readonly SettingsChange[]): readonly EventId[] {
  let whole: EventId | undefined;
  return changes.map((change) => {
    const { entry, intention } = applied(home, change, whole);
    whole ??= intention;
    return entry;
  });
}

/** A change, as a part of what an intention began where there is one. */
function applied(
  home: Home,
  made: SettingsChange,
  of: EventId | undefined,
): { readonly entry: EventId; readonly intention: EventId } {
  const { agent, file, before, after, folders, mode, about, change } = made;
  if (currentText(file) !== before)
    throw new RepriseError("conflict", `${file} was changed in this moment; nothing was done.`);
  if (before === undefined && leadsNowhere(file))
    throw new RepriseError("bad_input", `${file} is a link to a file that is not there.`, {
      hint: "Make that file, or remove the link, then run this again; nothing was changed.",
    });
  refuseReadOnly(file);
  const missing = before === undefined ? missingFolders(dirname(file)) : [];
  const backup = before === undefined ? undefined : keepBackup(home, file, before);
  const data = {
    agent,
    file,
    ...(backup !== undefined && { backup }),
    ...(before === undefined && { folders: missing }),
    ...(mode !== undefined && { mode }),
    ...(about !== undefined && { about }),
    ...(change !== undefined && { change }),
    afterSha256: after === undefined ? "" : sha256(after),
    ...(of !== undefined && { of }),
  };
  const running = new Running(home.running);
  running.beginDurably();
  const intention = intend(home, kind, {
    ...data,
    ...(folders !== undefined && { goes: folders }),
  });
  failpoint("settings.intended");
  try {
    put(file, after, { folders, mode, running });
  } catch (error) {
    if (currentText(file) === before) removeEmpty(missing);
    concludeIntention(home, intention, "it failed");
    running.end();
    throw error;
  }
  failpoint("settings.put");
  const entry = record(home.journal, kind, { ...data, intention });
  running.end();
  return { entry, intention };
}

/** Every file of settings we ever changed, or those changed about one thing, with the agent it was for. */
export function changedFiles(home: Home, about?: SettingsAbout): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const { data } of journalEntries(home.journal, [kind])) {
    const [file, agent] = [asString(data["file"]), asString(data["agent"])];
    const isMeant = about === undefined || data["about"] === about;
    if (isMeant && file !== undefined) files.set(file, agent ?? "");
  }
  return files;
}

/** A change is made in one step: it was done and is written down, or it was not. */
async function settleChange(home: Home, { id, data }: Intention): Promise<string> {
  const { agent, backup, folders, mode, about, change, afterSha256, goes, of } = data;
  const file = asString(data["file"]) ?? "";
  const text = currentText(file);
  if ((text === undefined ? "" : sha256(text)) === afterSha256) {
    if (text === undefined) removeEmpty(below(asTexts(goes), file));
    const rest = { about, change, afterSha256, of, intention: id };
    record(home.journal, kind, { agent, file, backup, folders, mode, ...rest });
    return `Changing ${file} was killed when it was done; \`reprise undo\` takes it back.`;
  }
  removeEmpty(below(asTexts(folders), file));
  concludeIntention(home, id, "it was not done");
  return `Changing ${file} was killed before it was done; nothing was changed.`;
}

/**
 * A file as it was before us, where it is now exactly as we left it; undefined if it was touched since, or where a change
 * about something else of ours came after: that one must stay.
 */
export function originalOf(
  home: Home,
  file: string,
  { isOurs, about }: { isOurs(text: string): boolean; readonly about: SettingsAbout },
): { readonly text?: string; readonly folders: readonly string[] } | undefined {
  let text = currentText(file);
  const entries = [...journalEntries(home.journal, [kind])].filter(
    ({ data }) => data["file"] === file,
  );
  // We may have been here several times: back to what held nothing of ours.
  for (const { data } of entries.reverse()) {
    if (text === undefined || data["afterSha256"] !== sha256(text)) continue;
    if ((data["about"] ?? "hooks") !== about) return undefined;
    const backup = asString(data["backup"]);
    if (backup === undefined) return { folders: asTexts(data["folders"]) };
    const earlier = readBackup(home, backup);
    if (earlier === undefined) return undefined;
    if (!isOurs(earlier)) return { text: earlier, folders: [] };
    text = earlier;
  }
  return undefined;
}

/** Throws `conflict` where somebody changed a file since; one that is as it was before us is not a conflict. */
function refuseTouched(home: Home, data: JsonObject): void {
  const file = asString(data["file"]) ?? "";
  const text = currentText(file);
  if ((text === undefined ? "" : sha256(text)) === data["afterSha256"]) return;
  // An older version that was killed before it wrote left an entry about nothing; and an undo may be done again.
  if (text === backedUp(home, data)) return;
  throw new RepriseError("conflict", `${file} was changed since; it stays.`, {
    hint: `\`${removal(data)}\` removes only what is ours.`,
  });
}

function removal({ about, agent }: JsonObject): string {
  if (about === "memories") return `reprise memory publish --to ${asString(agent)} --remove`;
  return `reprise ${about === "mcp" ? "mcp" : "hooks"} uninstall`;
}

/** Lets `undo` take changes of settings back, as long as nobody touched the file since, and later commands settle one. */
export function registerSettings(): void {
  registerSettling(kind, settleChange);
  registerUndo(kind, async (home, data) => {
    // What was done in one go is taken back in one go: a file that somebody changed since keeps all of it.
    for (const part of companionsOf(home, asNumber(data["intention"]) ?? -1))
      refuseTouched(home, part.data);
    refuseTouched(home, data);
    const file = asString(data["file"]) ?? "";
    const text = currentText(file);
    if ((text === undefined ? "" : sha256(text)) !== data["afterSha256"]) {
      if (text === undefined) removeEmpty(below(asTexts(data["folders"]), file));
      return `found ${file} as it was`;
    }
    const running = new Running(home.running);
    const how = { folders: asTexts(data["folders"]), mode: asNumber(data["mode"]), running };
    try {
      const original = backedUp(home, data);
      put(file, original, how);
      return `${original === undefined ? "removed" : "restored"} ${file}`;
    } finally {
      running.end();
    }
  });
}

function backedUp(home: Home, data: JsonObject): string | undefined {
  const backup = asString(data["backup"]);
  if (backup === undefined) return undefined;
  const text = readBackup(home, backup);
  if (text === undefined)
    throw new RepriseError("not_found", `The backup ${backup} is gone.`, {
      hint: `Forgetting a memory deletes the backups that hold it. \`${removal(data)}\` removes what is ours.`,
    });
  return text;
}

function keepBackup(home: Home, file: string, text: string): string {
  const folder = join(home.root, "bridge", "backups");
  makeFolder(folder);
  const path = join(folder, `${fingerprint(file).slice(0, 8)}-${sha256(text).slice(0, 24)}.bak`);
  atomicWrite(path, text);
  return path;
}

/** Only from our own folder, whatever the journal says. */
function readBackup(home: Home, path: string): string | undefined {
  const folder = join(home.root, "bridge", "backups");
  if (dirname(path) !== folder || !path.startsWith(folder + sep)) return undefined;
  return currentText(path);
}

function currentText(path: string): string | undefined {
  try {
    return readRegular(path, limits.settingsBytes).toString("utf8");
  } catch {
    return undefined;
  }
}

/** A file that nobody may write would still give way to a new one of its name: that is not what its owner wants. */
function refuseReadOnly(file: string): void {
  const stat = statOf(file);
  if (stat === undefined || (stat.mode & 0o222) !== 0) return;
  throw new RepriseError("no_permission", `${file} is read-only; it was not changed.`, {
    hint: "Allow writing (`chmod u+w`), then run this again.",
  });
}

/** Whether a path is a link whose end is not there: writing would put a file in the link's place. */
function leadsNowhere(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink() && !existsSync(path);
  } catch {
    return false;
  }
}

/** How a file of settings is put in place. */
interface Put {
  readonly folders?: readonly string[] | undefined;
  readonly mode?: number | undefined;
  readonly running: Running;
}

/** Writes through a link to where it leads, and keeps the file's mode unless told; without a text the file goes. */
function put(file: string, text: string | undefined, how: Put): void {
  try {
    if (text === undefined) {
      rmSync(file, { force: true });
      removeEmpty(below(how.folders ?? [], file));
      return;
    }
    makeFolder(dirname(file), 0o777);
    const stat = statSync(file, { throwIfNoEntry: false });
    const real = stat === undefined ? file : realpathSync(file);
    atomicWrite(real, text, {
      mode: how.mode ?? (stat === undefined ? 0o600 : stat.mode & 0o777),
      announce: (temporary) => how.running.announce(temporary, []),
    });
  } catch (error) {
    throw notWritten(file, error);
  }
}

/** Of some folders those that a file lies in. */
function below(folders: readonly string[], file: string): readonly string[] {
  return folders.filter((folder) => file.startsWith(folder + sep));
}

function asTexts(value: unknown): readonly string[] {
  return asArray(value).flatMap((text) => asString(text) ?? []);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
