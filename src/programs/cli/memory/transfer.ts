import { resolve } from "node:path";
import { RepriseError } from "../../../base/errors.ts";
import { smallFile } from "../../../base/folders.ts";
import { limits } from "../../../base/limits.ts";
import {
  formatOfName,
  type MemoryFormat,
  memoryFormats,
  readRecords,
  writeRecords,
} from "../../../memory/formats/format.ts";
import { conflictRules } from "../../../memory/import.ts";
import { writePieces } from "../../../store/output-file.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { homeOf } from "../sessions/native.ts";
import { oneOf } from "./one-of.ts";
import { memoryOf, queryOf, sameMemories } from "./wanted.ts";

/** Writes memories to a file or to standard output; the export is exact, secrets are not masked. */
export async function exportMemories(
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const { flags } = invocation;
  const output = flags.text("output");
  const format = formatOf(flags.text("format"), output ?? "");
  const query = queryOf(invocation.args.slice(1), flags, context.nowMs);
  const records = memoryOf(invocation, context).records({
    statuses: "all",
    expired: "any",
    ...query,
  });
  const pieces = writeRecords(format, records);
  if (output === undefined) {
    for (const piece of pieces) await context.out.write(piece);
    return;
  }
  const path = resolve(context.folder, output);
  const sizeBytes = await writePieces(path, pieces, {
    overwrite: flags.isSet("force"),
    overwriteFlag: "--force",
    home: homeOf(context),
  });
  if (context.json) return context.out.writeJson({ path, format, sizeBytes });
  await context.out.write(
    `Exported to ${path} (${sizeBytes} bytes). The export is exact: secrets are not masked.\n`,
  );
}

/** Brings memories of a file in; unless it is our own export they wait in the inbox. */
export async function importMemories(
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const { args, flags } = invocation;
  const name = args[1];
  if (name === undefined) throw new RepriseError("usage", "Type `reprise memory import <file>`.");
  const text = smallFile(resolve(context.folder, name), limits.memoryImportBytes);
  if (text === undefined) {
    throw new RepriseError(
      "not_found",
      `${name} cannot be read, or is larger than ${limits.memoryImportBytes} bytes.`,
      {
        hint: "Check the path; nothing was imported.",
      },
    );
  }
  const conflict = oneOf("conflict", flags.text("conflict") ?? "skip", conflictRules);
  const records = readRecords(formatOf(flags.text("format"), name), text);
  const imported = await memoryOf(invocation, context).importRecords(records, {
    conflict,
    exact: flags.isSet("exact"),
  });
  if (context.json) return context.out.writeJson(imported);
  const waiting = flags.isSet("exact")
    ? ""
    : ` They wait in \`reprise memory inbox${sameMemories(invocation)}\`.`;
  await context.out.write(
    `Imported ${imported.added}; overwritten ${imported.overwritten}, merged ${imported.merged}, renamed ${imported.renamed}, skipped ${imported.skipped}, not memories ${imported.refused}.${imported.added > 0 ? waiting : ""}\n`,
  );
}

function formatOf(given: string | undefined, name: string): MemoryFormat {
  return given === undefined
    ? (formatOfName(name) ?? "json")
    : oneOf("format", given, memoryFormats);
}
