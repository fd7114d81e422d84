import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { atomicWrite } from "../../base/atomic-write.ts";
import { isRepriseError } from "../../base/errors.ts";
import { namesIn } from "../../base/folders.ts";
import type { Home } from "../../store/home.ts";
import type { BackupLine } from "./line.ts";
import { type ReadBackup, readBackup } from "./read.ts";
import { backupFolder, isBackupName, withEnd } from "./write.ts";

/**
 * Takes entries out of the backups that lie in a home; those elsewhere are the user's own files. Damaged lines go too:
 * nobody knows what they hold. A backup without a sound line goes whole.
 */
export function forgetInBackups(home: Home, ids: ReadonlySet<string>): void {
  const folder = backupFolder(home);
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    const backup = name.endsWith(".jsonl") ? soundBackup(path) : undefined;
    if (backup === undefined || (backup.damage.length === 0 && !holds(backup, ids))) continue;
    atomicWrite(path, bytesOf(withEnd(linesWithout(backup, ids))), { sync: true });
  }
}

function soundBackup(path: string): ReadBackup | undefined {
  try {
    return readBackup(path);
  } catch (error) {
    if (!isRepriseError(error)) throw error;
    if (error.code === "bad_input" && isBackupName(basename(path))) rmSync(path, { force: true });
    return undefined;
  }
}

function holds({ namespaces }: ReadBackup, ids: ReadonlySet<string>): boolean {
  return namespaces.some(({ facts }) =>
    facts.some(({ fact }) => fact.kind === "put" && ids.has(fact.entry.id)),
  );
}

function* linesWithout(
  { createdAt, namespaces }: ReadBackup,
  ids: ReadonlySet<string>,
): Generator<BackupLine> {
  if (createdAt !== undefined) yield { kind: "backup", version: 1, createdAt };
  for (const { namespace, facts } of namespaces) {
    yield { kind: "namespace", ...namespace };
    for (const { at, fact } of facts)
      if (fact.kind !== "put" || !ids.has(fact.entry.id))
        yield { kind: "fact", namespace: namespace.file, at, fact };
  }
}

function* bytesOf(texts: Iterable<string>): Generator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}
