import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Disk, disk } from "../../src/base/disk.ts";
import { readHeader } from "../../src/log/header.ts";
import { type Verification, verifyLog } from "../../src/log/verify.ts";
import type { Damage } from "../../src/model/damage.ts";
import type { SessionEvent } from "../../src/model/event.ts";
import { FileLog, type FileLogOptions } from "../../src/store/file-log.ts";
import { folderHome } from "../../src/store/home.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import type { CreateOptions } from "../../src/store/session-options.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

/** The real disk without its waiting: nothing here depends on what a power cut leaves. */
export const quickDisk: Disk = {
  ...disk,
  sync: (_, done) => queueMicrotask(done),
  syncNow: () => undefined,
  syncDirectory: () => undefined,
  syncDirectoryLater: (_, done) => queueMicrotask(done),
};

/** A folder that goes when the test is over. */
export function freshFolder(): string {
  const folder = temporaryFolder();
  return folder;
}

/** A session `s` whose notes read `note 2`, `note 3` and so on, each with its own id. */
export async function sessionWith(
  notes: number,
  options: CreateOptions = {},
): Promise<{ readonly folder: string; readonly file: string }> {
  const folder = freshFolder();
  const session = SessionManager.create(folder, folder, { id: "s", sync: "none", ...options });
  for (let id = 2; id <= notes + 1; id += 1) {
    session.appendSync({ type: "note", content: `note ${id}` });
  }
  await session.close();
  return { folder, file: join(folder, "s.jsonl") };
}

/** The lines of a file, without their newlines. */
export function linesOf(file: string): string[] {
  return readFileSync(file, "utf8").split("\n").slice(0, -1);
}

/** Writes lines over a file, each with a newline. */
export function writeLines(file: string, lines: readonly string[]): void {
  writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
}

/** What reading a session gives: all events in order, and every damage told. */
export async function readAll(
  file: string,
  options: FileLogOptions = {},
): Promise<{ readonly events: readonly SessionEvent[]; readonly damage: readonly Damage[] }> {
  const log = FileLog.open(folderHome(join(file, "..")), file, { disk: quickDisk, ...options });
  const damage: Damage[] = [];
  const events = [...log.events({ onDamage: (found) => damage.push(found) })];
  await log.close();
  return { events, damage };
}

/** What walking from the last event to the root gives, root first. */
export async function readPath(
  file: string,
): Promise<{ readonly ids: readonly number[]; readonly damage: readonly Damage[] }> {
  const log = FileLog.open(folderHome(join(file, "..")), file);
  const ids: number[] = [];
  const damage: Damage[] = [];
  for (const step of log.path()) {
    if (step.kind === "event") ids.push(step.event.id);
    else damage.push(step.damage);
  }
  await log.close();
  return { ids: ids.reverse(), damage };
}

/** Checks a file from its first line to its last. */
export function verified(file: string): Verification {
  const fd = openSync(file, "r");
  try {
    const { base } = readHeader(fd, file).start;
    return verifyLog(fd, { firstId: (base?.event ?? 0) + 1, firstSum: base?.sum ?? "" });
  } finally {
    closeSync(fd);
  }
}

/** Appends one note to a session and gives what the log made of it. */
export async function appendNote(
  file: string,
  content = "after",
  options: FileLogOptions = {},
): Promise<SessionEvent> {
  const log = FileLog.open(folderHome(join(file, "..")), file, { disk: quickDisk, ...options });
  try {
    return log.appendSync([{ body: { type: "note", content } }])[0]!;
  } finally {
    await log.close();
  }
}

/** What lies in quarantine, without the line that says where it came from. */
export function quarantined(folder: string): readonly Buffer[] {
  const place = join(folder, ".reprise", "quarantine");
  return readdirSync(place).map((name) => {
    const content = readFileSync(join(place, name));
    return content.subarray(content.indexOf("\n") + 1);
  });
}

/** The texts of notes, in order. */
export function notesOf(events: readonly SessionEvent[]): readonly unknown[] {
  return events.flatMap((event) => (event.type === "note" ? [event.content] : []));
}
