import { referenceTo, resolveReference } from "../../../agents/reference.ts";
import { record } from "../../../log/journal.ts";
import { type Leaving, removeSession } from "../../../store/remove.ts";
import { deleteSession, planDeletion, refuseWhileWritten } from "../../../vault/delete-session.ts";
import { count } from "../render/count.ts";
import { titleOf } from "../render/heading.ts";
import { homely } from "../render/path-text.ts";
import { sizeText } from "../render/size.ts";
import type { Command, CommandContext } from "../run/command.ts";
import { confirmPlan, yesFlag } from "../run/plan.ts";
import { homeOf, isNative } from "../sessions/native.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** `reprise delete`: deletes a session with all that belongs to it; a copy is kept, and `undo` brings it back. */
export const deleteCommand: Command = {
  name: "delete",
  summary: "delete a session with its side files; undo brings it back",
  details: `Our own sessions and those of every agent: files, side files, parts of shared files, and rows of databases. A
compressed copy of all of it is made first, and \`reprise undo\` puts it back byte for byte. It is refused while the
agent may be writing the session: while its program has it open, names it, changed it, or runs in its folder, of which it is
the newest. Without --yes the plan is shown.`,
  args: [{ name: "<ref...>", says: "the session" }],
  flags: [yesFlag],
  examples: [
    { line: "reprise delete 3f9a", says: "what would go" },
    { line: "reprise delete 3f9a --yes", says: "delete it; `reprise undo` brings it back" },
  ],
  json: `{ ref: string, files: string[], pieces: { path: string, offset: number, sizeBytes: number }[], rows: number,
  sizeBytes: number, done: boolean, entry?: number, copy?: string }`,
  changes: ({ flags }) => flags.isSet("yes"),
  run: async (invocation, context) => {
    const session = resolveReference(invocation.args.join(" "), context);
    const ref = referenceTo(session);
    const title = safeLine(titleOf(session.head));
    if (isNative(session)) {
      const { path, sizeBytes } = session.ref;
      const facts = { ref, files: [path], pieces: [], rows: 0, sizeBytes };
      const text = planText(title, { ...facts, env: context.env });
      await confirmPlan({ text, json: facts }, invocation, context);
      return told(facts, deleteOwn(path, context), { title, context });
    }
    const plan = await planDeletion(session, context.env);
    refuseWhileWritten(plan, context);
    const { files, pieces, rowCount: rows, sizeBytes } = plan;
    const facts = { ref, files, pieces, rows, sizeBytes };
    const text = planText(title, { ...facts, env: context.env });
    await confirmPlan({ text, json: facts }, invocation, context);
    return told(facts, await deleteSession(plan, context.env), { title, context });
  },
};

/** Removes a session of our own store, as pruning does: compressed, and journalled before it goes. */
function deleteOwn(
  path: string,
  context: CommandContext,
): { readonly entry: number; readonly copy: string } {
  const home = homeOf(context);
  let entry = 0;
  const beforeLeaving = (leaving: Leaving): void => {
    entry = record(home.journal, "prune", { removed: [leaving] });
  };
  const { archive = "" } = removeSession(home, path, { waitMs: 0, beforeLeaving });
  return { entry, copy: archive };
}

interface Facts {
  readonly ref: string;
  readonly files: readonly string[];
  readonly pieces: readonly { readonly path: string }[];
  readonly rows: number;
  readonly sizeBytes: number;
}

/** Files that a plan names one by one; of more it says how many. */
const namedFiles = 12;

function planText(title: string, facts: Facts & { readonly env: CommandContext["env"] }): string {
  const { ref, files, pieces, rows, sizeBytes, env } = facts;
  const parts = [
    ...files.slice(0, namedFiles).map((path) => `  ${safeLine(homely(path, env))}\n`),
    ...(files.length > namedFiles ? [`  and ${files.length - namedFiles} more files\n`] : []),
    ...pieces.map(({ path }) => `  its part of ${safeLine(homely(path, env))}\n`),
    ...(rows > 0 ? [`  ${count(rows, "row")} of a database\n`] : []),
  ];
  const size = sizeBytes === 0 ? "" : `, ${sizeText(sizeBytes)}`;
  return `Would delete “${title}” (${safeLine(ref)})${size}:\n${parts.join("")}A copy is kept; \`reprise undo\` brings it back.\n`;
}

async function told(
  facts: Facts,
  done: { readonly entry: number; readonly copy: string },
  { title, context }: { readonly title: string; readonly context: CommandContext },
): Promise<void> {
  if (context.json) return context.out.writeJson({ ...facts, done: true, ...done });
  context.out.note(`Deleted “${title}”. Bring it back with \`reprise undo ${done.entry}\`.`);
}
