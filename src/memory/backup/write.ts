import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { isoNow } from "../../base/clock.ts";
import { type Environment, processEnvironment } from "../../base/env.ts";
import { RepriseError } from "../../base/errors.ts";
import { makeFolder } from "../../base/make-folder.ts";
import { type Home, userHome } from "../../store/home.ts";
import { writePieces } from "../../store/output-file.ts";
import { userOwner } from "../entry.ts";
import { memoryFolder, type Namespace, namespacesIn } from "../namespace.ts";
import { NamespaceLog } from "../namespace-log.ts";
import { type BackupLine, encodeLine } from "./line.ts";

/** Whose memories a backup is about, and who asks: only the user, since it holds what is private to agents. */
export interface BackupPlace {
  readonly env?: Environment;
  readonly home?: Home;
  /** `REPRISE_AGENT`, else `user`. */
  readonly owner?: string;
}

/** Where a backup is written to. */
export interface BackupOptions extends BackupPlace {
  /** The file; else it gets a name of its own in a folder. */
  readonly file?: string;
  /** The folder; else that of the backups in the home. */
  readonly folder?: string;
  /** Overwrite the file. */
  readonly overwrite?: boolean;
}

/** What a backup holds. */
export interface MemoryBackup {
  readonly path: string;
  readonly createdAt: string;
  readonly namespaces: readonly string[];
  readonly entries: number;
  readonly versions: number;
  readonly sizeBytes: number;
  /** Of the whole file. */
  readonly sha256: string;
  /** Lines of the logs that cannot be read any more; they are not in it. */
  readonly damaged: number;
}

/** Writes every memory of a home with its versions into one file, each line with a checksum; exact, nothing is masked. */
export async function backupMemories(options: BackupOptions = {}): Promise<MemoryBackup> {
  const { home, cwd } = backupPlace(options);
  const createdAt = isoNow();
  const folder = options.folder === undefined ? backupFolder(home) : resolve(cwd, options.folder);
  const path =
    options.file === undefined ? join(folder, nameAt(createdAt)) : resolve(cwd, options.file);
  if (options.file === undefined) makeFolder(folder);
  const logs = memoryFolder(home.root);
  const namespaces = namespacesIn(logs);
  const counted = { ids: new Set<string>(), versions: 0, damaged: 0 };
  const whole = createHash("sha256");
  function* pieces(): Generator<string> {
    for (const piece of withEnd(linesOf(namespaces, { logs, createdAt, counted }))) {
      whole.update(piece);
      yield piece;
    }
  }
  const overwrite = options.overwrite === true;
  const sizeBytes = await writePieces(path, pieces(), {
    overwrite,
    home,
    overwriteFlag: "--force",
  });
  return {
    path,
    createdAt,
    namespaces: namespaces.map(({ name }) => name),
    entries: counted.ids.size,
    versions: counted.versions,
    sizeBytes,
    sha256: whole.digest("hex"),
    damaged: counted.damaged,
  };
}

/** Lines as a file has them, and the one that proves them all. */
export function* withEnd(lines: Iterable<BackupLine>): Generator<string> {
  const sum = createHash("sha256");
  let count = 0;
  for (const line of lines) {
    const text = encodeLine(line);
    sum.update(text);
    count += 1;
    yield text;
  }
  yield encodeLine({ kind: "end", lines: count, sha256: sum.digest("hex") });
}

/** The home that a backup is about; throws `no_permission` for an agent. */
export function backupPlace({ env = processEnvironment(), ...given }: BackupPlace): {
  readonly home: Home;
  readonly cwd: string;
} {
  const owner = given.owner ?? (env.variables["REPRISE_AGENT"] || userOwner);
  if (owner === userOwner) return { home: given.home ?? userHome(env), cwd: env.cwd };
  throw new RepriseError("no_permission", "Only the user makes and restores backups.", {
    hint: "They hold what is private to every agent. Unset REPRISE_AGENT.",
  });
}

/** The folder of a home that backups without a name go to. */
export function backupFolder(home: Home): string {
  return join(memoryFolder(home.root), "backups");
}

/** Whether a file has a name that backups get here. */
export function isBackupName(name: string): boolean {
  return /^memories-[^/]*\.jsonl$/.test(name);
}

function nameAt(createdAt: string): string {
  return `memories-${createdAt.replace(/[:.]/g, "-")}.jsonl`;
}

function* linesOf(
  namespaces: readonly Namespace[],
  given: {
    readonly logs: string;
    readonly createdAt: string;
    readonly counted: { readonly ids: Set<string>; versions: number; damaged: number };
  },
): Generator<BackupLine> {
  const { logs, createdAt, counted } = given;
  yield { kind: "backup", version: 1, createdAt };
  for (const namespace of namespaces) {
    yield { kind: "namespace", ...namespace };
    const log = new NamespaceLog(logs, namespace, { sync: "each" });
    const onDamage = (): void => {
      counted.damaged += 1;
    };
    for (const { at, fact } of log.facts(0, onDamage)) {
      if (fact.kind === "put") {
        counted.ids.add(fact.entry.id);
        counted.versions += 1;
      }
      yield { kind: "fact", namespace: namespace.file, at, fact };
    }
  }
}
