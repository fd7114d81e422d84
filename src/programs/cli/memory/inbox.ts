import { findSession, listSessions } from "../../../agents/library.ts";
import { RepriseError } from "../../../base/errors.ts";
import { withoutSecrets } from "../../../bridge/ledger/secrets.ts";
import { conflictsIn, type MemoryConflict } from "../../../memory/conflicts.ts";
import type { MemoryEntry } from "../../../memory/entry.ts";
import { proposeFrom } from "../../../memory/propose/propose.ts";
import { count } from "../render/count.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { entryLine } from "./text.ts";
import { memoryOf } from "./wanted.ts";

/** Sessions that are looked through unless some are named. */
const newest = 20;

/** Looks through sessions for what is worth remembering, and puts it into the inbox. */
export async function proposeMemories(
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const { env } = context;
  const refs = invocation.args.slice(1);
  const limit = invocation.flags.number("limit") ?? newest;
  const sinceMs = invocation.flags.number("since");
  const sessions =
    refs.length > 0
      ? await Promise.all(refs.map((ref) => findSession(ref, { env })))
      : (
          await listSessions({
            env,
            here: env.cwd,
            limit,
            ...(sinceMs !== undefined && { sinceMs }),
          })
        ).sessions;
  const memory = memoryOf(invocation, context);
  const added: MemoryEntry[] = [];
  let known = 0;
  for (const { ref } of sessions) {
    const proposed = await proposeFrom(memory, ref, { env });
    added.push(...proposed.added);
    known += proposed.known;
  }
  const looked = sessions.length;
  if (context.json) return context.out.writeJson({ sessions: looked, proposed: added, known });
  const next = added.length === 0 ? "" : "Decide with `reprise memory inbox`.\n";
  await context.out.write(
    `${count(looked, "session")} read; proposed ${added.length}, known already ${known}.\n${added.map(entryLine).join("")}${next}`,
  );
}

/** Changes what a proposal says and approves it: then the user said it. */
export async function editMemory(invocation: Invocation, context: CommandContext): Promise<void> {
  const [id, ...words] = invocation.args.slice(1);
  if (id === undefined || words.length === 0)
    throw new RepriseError("usage", "Type `reprise memory edit <id> <text>`.");
  const value = withoutSecrets(words.join(" "));
  const memory = memoryOf(invocation, context);
  const entry = await memory.update(id, { value, status: "kept", provenance: "user" });
  if (context.json) return context.out.writeJson(entry);
  await context.out.write(`Approved: ${entryLine(entry)}`);
}

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
  const replaced = await memory.get(older);
  if (replaced === undefined)
    throw new RepriseError("not_found", `There is no memory ${JSON.stringify(older)}.`);
  const entry = await memory.update(newer, { supersedes: replaced.id });
  if (context.json) return context.out.writeJson(entry);
  await context.out.write(`${entryLine(entry)}This replaces: ${entryLine(replaced)}`);
}

function conflictText({ newer, older, why, isSettled }: MemoryConflict): string {
  const how = isSettled ? "replaced" : why === "update" ? "differs" : "contradicts";
  return `${how}\n  newer ${newer.id}  ${entryLine(newer)}  older ${older.id}  ${entryLine(older)}`;
}
