import { createHash } from "node:crypto";
import { closeSync, fstatSync } from "node:fs";
import { RepriseError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { openForReading } from "../../base/open-file.ts";
import { linesForward } from "../../jsonl/read-forward.ts";
import type { MemoryFact } from "../fact.ts";
import type { Namespace } from "../namespace.ts";
import { decodeLine } from "./line.ts";

/** A part of a backup that cannot be trusted. */
export interface BackupDamage {
  /** Counts from 1; absent if it is about the whole file. */
  readonly line?: number;
  readonly why: string;
}

/** What a namespace of a backup holds. */
export interface BackupNamespace {
  readonly namespace: Namespace;
  readonly facts: readonly { readonly at: string; readonly fact: MemoryFact }[];
}

/** What a backup holds, as far as it is sound. */
export interface ReadBackup {
  readonly path: string;
  readonly createdAt?: string;
  readonly namespaces: readonly BackupNamespace[];
  readonly damage: readonly BackupDamage[];
}

/** Reads a backup and checks every sum; what is damaged is passed over and reported. Throws `bad_input` if it is not a backup. */
export function readBackup(path: string): ReadBackup {
  const fd = openForReading(path);
  try {
    if (fstatSync(fd).size > limits.memoryBackupBytes)
      throw new RepriseError("too_large", `${path} is larger than a backup may be.`, {
        hint: `A backup has up to ${limits.memoryBackupBytes} bytes.`,
      });
    return readOpenBackup(fd, path);
  } finally {
    closeSync(fd);
  }
}

/** The value of an entry as base64 and all else a line says. */
const longLines = { maxLineBytes: limits.memoryEntryBytes * 2 };

function readOpenBackup(fd: number, path: string): ReadBackup {
  const sum = createHash("sha256");
  const damage: BackupDamage[] = [];
  const known = new Map<
    string,
    { namespace: Namespace; facts: BackupNamespace["facts"][number][] }
  >();
  let [count, sound] = [0, 0];
  let createdAt: string | undefined;
  let isEnded = false;
  for (const { bytes, complete, tooLong } of linesForward(fd, longLines)) {
    count += 1;
    const line = tooLong || !complete ? undefined : decodeLine(bytes.toString("utf8"));
    if (line === undefined) {
      damage.push({ line: count, why: "its checksum does not fit" });
    } else if (line.kind === "end") {
      isEnded = true;
      const isWhole = line.lines === count - 1 && line.sha256 === sum.copy().digest("hex");
      if (!isWhole && damage.length === 0) damage.push({ why: "lines are missing or were moved" });
    } else if (line.kind === "backup") createdAt = line.createdAt;
    else if (line.kind === "namespace") {
      const { kind: _kind, ...namespace } = line;
      // Named twice, it keeps what was read of it.
      known.set(namespace.file, { namespace, facts: known.get(namespace.file)?.facts ?? [] });
    } else {
      const { at, fact } = line;
      const target = known.get(line.namespace);
      if (target === undefined)
        damage.push({ line: count, why: "the line that names its namespace is damaged" });
      else target.facts.push({ at, fact });
    }
    if (line !== undefined) sound += 1;
    sum.update(bytes).update("\n");
  }
  if (sound === 0)
    throw new RepriseError("bad_input", `${path} is not a backup of memories.`, {
      hint: "`reprise memory backups` lists those of this home. Nothing was changed.",
    });
  if (!isEnded) damage.push({ why: "its end is missing" });
  return {
    path,
    ...(createdAt !== undefined && { createdAt }),
    namespaces: [...known.values()],
    damage,
  };
}
