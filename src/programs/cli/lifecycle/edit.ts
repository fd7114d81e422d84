import { resolve } from "node:path";
import { RepriseError } from "../../../base/errors.ts";
import { withoutSecrets } from "../../../bridge/ledger/secrets.ts";
import { openMemory } from "../../../memory/memory.ts";
import { fileSum } from "../../../memory/stale.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { homeOf } from "../sessions/native.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** Remembers an edit under a key: the file, its hash and a note; stale as soon as the file changes again. */
export async function noteEdit(
  [file, ...words]: readonly string[],
  { flags }: Invocation,
  context: CommandContext,
): Promise<void> {
  const key = flags.text("memoryKey");
  if (file === undefined || key === undefined)
    throw new RepriseError(
      "usage",
      "Type `reprise session edit <file> --memory-key <key> [note]`.",
    );
  const path = resolve(context.folder, file);
  const sha256 = fileSum(path);
  if (sha256 === undefined)
    throw new RepriseError("not_found", `${file} cannot be read.`, {
      hint: "Name a file that was edited.",
    });
  const memory = openMemory({ env: context.env, home: homeOf(context) });
  try {
    const note = withoutSecrets(words.join(" "));
    const entry = await memory.store({
      key,
      value: { file: path, sha256, note },
      type: "notepad",
      tags: ["edit"],
      provenance: "assistant",
      evidence: [{ kind: "file", path, sha256 }],
    });
    if (context.json) return context.out.writeJson({ id: entry.id, key, file: path, sha256, note });
    context.out.note(`Remembered: ${safeLine(key)}`);
  } finally {
    memory.close();
  }
}
