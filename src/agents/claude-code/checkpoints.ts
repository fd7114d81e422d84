import { closeSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { RepriseError } from "../../base/errors.ts";
import { asString, isObject, type JsonObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { openForReading, readRegular } from "../../base/open-file.ts";
import type { Line } from "../../jsonl/line.ts";
import { recordsForward } from "../../jsonl/records.ts";
import type { SessionHead } from "../../model/head.ts";
import type { AgentCheckpointFile, AgentCheckpoints } from "../checkpoints-contract.ts";
import type { SessionRef } from "../contract.ts";

/** What the program copied of a file; null where the file was not there. */
interface Backup {
  readonly path: string;
  readonly copy: string | null;
}

interface Kept {
  readonly message: string;
  readonly at: string | undefined;
  readonly backups: Map<string, Backup>;
}

/** A name of the program's own making: nothing else becomes a path. */
const copyName = /^[0-9a-f]{8,64}@v\d{1,9}$/;

/**
 * What Claude Code keeps for its own rewind: before an edit tool changes a file, a copy in `file-history/`; the transcript
 * says which copy each prompt has. A file that was first edited after a prompt had at that prompt what its first copy has.
 */
export const checkpoints: AgentCheckpoints = {
  list: async (ref, head) => {
    const { kept, first } = readKept(ref, head);
    if (first.size === 0) return [];
    return [...kept.values()].map(({ message, at }) => ({
      name: message,
      uuid: message,
      files: first.size,
      ...(at !== undefined && { at }),
    }));
  },
  async *files(ref, head, name) {
    const { kept, first } = readKept(ref, head);
    const found = [...kept.values()].find(({ message }) => message.startsWith(name));
    if (found === undefined) throw new RepriseError("not_found", `There is no checkpoint ${name}.`);
    for (const [path, earliest] of first) yield fileOf(found.backups.get(path) ?? earliest, ref);
  },
};

function fileOf(
  { path, copy }: Backup,
  { root, session, path: transcript }: SessionRef,
): AgentCheckpointFile {
  if (copy === null) return { path };
  const folder = join(root ?? dirname(dirname(dirname(transcript))), "file-history", session);
  if (!copyName.test(copy)) return { path, lost: "its copy has a name that is not the program's" };
  try {
    return { path, content: readRegular(join(folder, copy), limits.includedFileBytes) };
  } catch {
    return { path, lost: "its copy is not there any more" };
  }
}

/** The newest state of each prompt's copies, and of each file the first copy. */
function readKept(
  { path }: SessionRef,
  { cwd = "/" }: SessionHead,
): { readonly kept: ReadonlyMap<string, Kept>; readonly first: ReadonlyMap<string, Backup> } {
  const kept = new Map<string, Kept>();
  const first = new Map<string, Backup>();
  const add = (to: Kept, tracked: string, value: unknown): void => {
    const backup = backupOf(tracked, value, cwd);
    if (backup === undefined || to.backups.size >= limits.directoryEntries) return;
    to.backups.set(backup.path, backup);
    if (!first.has(backup.path)) first.set(backup.path, backup);
  };
  for (const record of historyRecords(path)) {
    const { snapshot } = record;
    if (record["type"] === "file-history-delta") {
      const to = kept.get(asString(record["snapshotMessageId"]) ?? "");
      if (to !== undefined) add(to, asString(record["trackingPath"]) ?? "", record["backup"]);
    } else if (isObject(snapshot)) {
      const message = asString(record["messageId"]);
      if (message === undefined) continue;
      const made = { message, at: asString(snapshot["timestamp"]), backups: new Map() };
      kept.set(message, made);
      const tracked = snapshot["trackedFileBackups"];
      for (const [name, value] of Object.entries(isObject(tracked) ? tracked : {}))
        add(made, name, value);
    }
  }
  return { kept, first };
}

function backupOf(tracked: string, value: unknown, cwd: string): Backup | undefined {
  if (!isObject(value) || tracked === "") return undefined;
  const parent = asString(value["realParentDir"]);
  const path =
    parent === undefined
      ? isAbsolute(tracked)
        ? tracked
        : join(cwd, tracked)
      : join(parent, basename(tracked));
  const copy = value["backupFileName"];
  if (copy !== null && typeof copy !== "string") return undefined;
  return { path, copy };
}

const mark = Buffer.from('"type":"file-history-');

function* historyRecords(path: string): Generator<JsonObject> {
  const fd = openForReading(path);
  try {
    const skip = ({ bytes }: Line): boolean => !bytes.includes(mark);
    for (const { records } of recordsForward(fd, { skip })) yield* records;
  } finally {
    closeSync(fd);
  }
}
