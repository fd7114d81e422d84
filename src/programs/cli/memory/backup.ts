import { basename, join, resolve } from "node:path";
import { isRepriseError, RepriseError } from "../../../base/errors.ts";
import { namesIn, pathExists, statOf } from "../../../base/folders.ts";
import { readBackup } from "../../../memory/backup/read.ts";
import { type MemoryRestore, restoreMemories } from "../../../memory/backup/restore.ts";
import { backupFolder, backupMemories } from "../../../memory/backup/write.ts";
import { count } from "../render/count.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { confirmPlan } from "../run/plan.ts";
import { homeOf } from "../sessions/native.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { oneOf } from "./one-of.ts";
import { memoryOptions } from "./wanted.ts";

/** Writes all memories of all projects into one file with checksums. */
export async function backUpMemories(
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const { flags } = invocation;
  const [file, folder] = [flags.text("output"), flags.text("dir")];
  if (file !== undefined && folder !== undefined)
    throw new RepriseError("usage", "Give --output or --dir, not both.");
  const made = await backupMemories({
    ...memoryOptions(invocation, context),
    overwrite: flags.isSet("force"),
    ...(file !== undefined && { file: resolve(context.folder, file) }),
    ...(folder !== undefined && { folder: resolve(context.folder, folder) }),
  });
  if (context.json) return context.out.writeJson(made);
  const { entries, namespaces, path, sizeBytes, sha256, damaged } = made;
  const lost =
    damaged === 0
      ? ""
      : `${count(damaged, "line")} of the logs could not be read and is not in it.\n`;
  await context.out.write(
    `${memories(entries)} of ${count(namespaces.length, "namespace")} in ${safeLine(path)} (${sizeBytes} bytes).\nSHA-256: ${sha256}\n${lost}It is exact: secrets are not masked.\n`,
  );
}

/** Lists the backups of this home, the newest first, and whether they are sound. */
export async function listBackups(_invocation: Invocation, context: CommandContext): Promise<void> {
  const backups = backupPaths(context).map((path) => {
    const sizeBytes = statOf(path)?.size ?? 0;
    try {
      const { createdAt, namespaces, damage } = readBackup(path);
      return {
        path,
        sizeBytes,
        ...counted(namespaces),
        damaged: damage.length,
        ...(createdAt && { createdAt }),
      };
    } catch (error) {
      if (!isRepriseError(error)) throw error;
      return { path, sizeBytes, entries: 0, namespaces: 0, damaged: 1 };
    }
  });
  if (context.json) return context.out.writeJson({ backups });
  if (backups.length === 0) {
    await context.out.write("No backups yet: `reprise memory backup` makes one.\n");
    return;
  }
  const lines = backups.map(
    ({ path, entries, sizeBytes, damaged }) =>
      `${safeLine(path)}  ${memories(entries)}, ${sizeBytes} bytes${damaged > 0 ? ", damaged" : ""}\n`,
  );
  await context.out.write(lines.join(""));
}

/** Brings a backup back, after a plan. */
export async function restoreBackup(
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const { args, flags } = invocation;
  const name = args[1];
  if (name === undefined)
    throw new RepriseError("usage", "Type `reprise memory restore <backup>`.", {
      hint: "A file, a name of `reprise memory backups`, or @last for the newest.",
    });
  const rule = flags.text("conflict") ?? "skip";
  const options = {
    ...memoryOptions(invocation, context),
    conflict: oneOf("conflict", rule, ["skip", "overwrite"]),
    forgotten: flags.isSet("forgotten"),
    partial: flags.isSet("partial"),
  };
  const path = backupNamed(name, context);
  const plan = await restoreMemories(path, options);
  const { restored, forgets } = plan;
  if (restored === 0 && forgets.length === 0) {
    if (context.json) return context.out.writeJson({ ...plan, done: true });
    await context.out.write(`Nothing has to come back.\n${restText(plan) || holdsNothing}`);
    return;
  }
  const text = `Restore from ${safeLine(path)}:\n${planText(plan)}`;
  await confirmPlan({ text, json: plan }, invocation, context);
  const done = await restoreMemories(path, { ...options, apply: true });
  if (context.json) return context.out.writeJson({ ...done, done: true });
  await context.out.write(`Restored.\n${planText(done)}`);
  context.out.note("See one with `reprise memory list --namespace <name>`, in any folder.");
}

/** What forgetting does not reach. */
export const backupsElsewhere =
  "A backup or export that you wrote elsewhere (`reprise backup`, -o, --dir) still holds the text: delete it yourself.\n";

const holdsNothing = `The backup holds no memory. What you forget is also taken out of the backups that Reprise keeps. ${backupsElsewhere}`;

function planText(plan: MemoryRestore): string {
  const { restored, versions, namespaces, forgets } = plan;
  const gone =
    forgets.length === 0
      ? ""
      : `  ${memories(forgets.length)} that had been forgotten when it was made: forgotten here too\n`;
  return `  ${memories(restored)} (${count(versions, "version")}) of ${count(namespaces.length, "namespace")}: ${namespaces.map(safeLine).join(", ")}\n${gone}${restText(plan)}`;
}

/** What stays as it is, and why. */
function restText({ kept, taken, forgotten, damage }: MemoryRestore): string {
  const lines = [
    [kept, "here already, as new or newer: left as they are"],
    [taken, "whose key another memory has here: left out; --conflict overwrite brings them back"],
    [forgotten.length, "forgotten since: they stay forgotten; --forgotten brings them back"],
  ] as const;
  const left = lines.flatMap(([number, says]) =>
    number === 0 ? [] : [`  ${memories(number)} ${says}\n`],
  );
  const lost =
    damage.length === 0 ? "" : `  ${count(damage.length, "damaged line")}: not restored\n`;
  return `${left.join("")}${lost}`;
}

function memories(number: number): string {
  return number === 1 ? "1 memory" : `${number.toLocaleString("en")} memories`;
}

function counted(namespaces: ReturnType<typeof readBackup>["namespaces"]): {
  readonly entries: number;
  readonly namespaces: number;
} {
  const ids = new Set(
    namespaces.flatMap(({ facts }) =>
      facts.flatMap(({ fact }) => (fact.kind === "put" ? [fact.entry.id] : [])),
    ),
  );
  return { entries: ids.size, namespaces: namespaces.length };
}

function backupPaths(context: CommandContext): readonly string[] {
  const folder = backupFolder(homeOf(context));
  return namesIn(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .toSorted()
    .reverse()
    .map((name) => join(folder, name));
}

/** A file, a name of one in the home, or the newest there. */
function backupNamed(name: string, context: CommandContext): string {
  const file = resolve(context.folder, name);
  const known = backupPaths(context);
  const found =
    name === "@last"
      ? known[0]
      : pathExists(file)
        ? file
        : known.find((path) => [name, `${name}.jsonl`].includes(basename(path)));
  if (found !== undefined) return found;
  if (name === "@last")
    throw new RepriseError("not_found", "There is no backup yet.", {
      hint: "`reprise memory backup` makes one, and `reprise memory backups` lists them.",
    });
  throw new RepriseError("not_found", `There is no backup ${JSON.stringify(name)}.`, {
    hint: "`reprise memory backups` lists those of this home. Nothing was changed.",
  });
}
