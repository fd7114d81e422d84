import { RepriseError } from "../../../base/errors.ts";
import { recordChange } from "../../../memory/change-entry.ts";
import { conflictsIn, type MemoryConflict } from "../../../memory/conflicts.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { entryLine } from "./text.ts";
import { memoryOf } from "./wanted.ts";

/** Lists memories that say different things about one subject. */
export async function memoryConflicts(
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const conflicts = await conflictsIn(memoryOf(invocation, context));
  if (context.json) return context.out.writeJson({ conflicts });
  if (conflicts.length === 0) {
    await context.out.write("No memories contradict each other.\n");
    return;
  }
  await context.out.write(
    `${conflicts.map(conflictText).join("\n")}\nDecide with \`reprise memory supersede <newer> <older>\` or \`reprise memory forget <key>\`.\n`,
  );
}

/** Says that one memory replaces another. */
export async function supersedeMemory(
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const [newer, older] = invocation.args.slice(1);
  if (newer === undefined || older === undefined)
    throw new RepriseError("usage", "Type `reprise memory supersede <newer> <older>`.");
  const memory = memoryOf(invocation, context);
  const replaced = await memory.find(older);
  const { id, version: before } = await memory.find(newer);
  const entry = await memory.update(id, { supersedes: replaced.id });
  recordChange(memory.home, "changed", { before, entry, owner: memory.owner });
  if (context.json) return context.out.writeJson(entry);
  await context.out.write(`${entryLine(entry)}This replaces: ${entryLine(replaced)}`);
}

function conflictText({ newer, older, why, isSettled }: MemoryConflict): string {
  const how = isSettled ? "replaced" : why === "update" ? "differs" : "contradicts";
  return `${how}\n  newer ${newer.id}  ${entryLine(newer)}  older ${older.id}  ${entryLine(older)}`;
}
