import { referenceTo, resolveReference, shortId } from "../../../agents/reference.ts";
import { RepriseError } from "../../../base/errors.ts";
import { deleteSession, planDeletion, refuseWhileWritten } from "../../../vault/delete-session.ts";
import { type Deleted, deletedParts, freedText } from "../render/deletion-text.ts";
import { shortTitleOf } from "../render/heading.ts";
import type { Command, CommandContext } from "../run/command.ts";
import { confirmPlan, yesFlag } from "../run/plan.ts";
import { deleteOwn } from "../sessions/delete-own.ts";
import { deleteProject } from "../sessions/delete-project.ts";
import { isNative } from "../sessions/native.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** `reprise delete`: deletes a session with all that belongs to it; a copy is kept, and `undo` brings it back. */
export const deleteCommand: Command = {
  name: "delete",
  summary: "delete a session, or all of a project; undo brings them back",
  details: `Works for Reprise's own sessions and those of every agent: files, side files, parts of shared files, and rows of
databases. A compressed copy is made first, and \`reprise undo\` restores it byte for byte. A session that its agent may be
writing is refused: its program has it open, names it, changed it just now, or runs in its folder, where it is the newest.
Without --yes the plan is shown.`,
  args: [{ name: "[ref...]", says: "the session" }],
  flags: [
    {
      flags: "--project <words>",
      says: "delete every session of projects whose name or path has this",
      kind: "text",
    },
    yesFlag,
  ],
  examples: [
    { line: "reprise delete 3f9a", says: "show what would be deleted" },
    { line: "reprise delete 3f9a --yes", says: "delete it; `reprise undo` brings it back" },
    {
      line: "reprise delete --project old-app",
      says: "show which sessions of a project would be deleted",
    },
  ],
  json: `{ ref: string, files: string[], pieces: { path: string, offset: number, sizeBytes: number }[], rows: number,
  sizeBytes: number, done: boolean, entry?: number, copy?: string }
with --project: { refs: string[], left: string[], sizeBytes: number, done: boolean, entry?: number }`,
  changes: ({ flags }) => flags.isSet("yes"),
  run: async (invocation, context) => {
    const project = invocation.flags.text("project");
    const isOne = invocation.args.length > 0;
    if (isOne === (project !== undefined)) {
      throw new RepriseError("usage", "Name a session, or give --project.", {
        hint: "Such as `reprise delete 3f9a`, or `reprise delete --project old-app`.",
      });
    }
    if (project !== undefined) return deleteProject(project, invocation, context);
    const session = resolveReference(invocation.args.join(" "), context);
    const ref = referenceTo(session);
    const title = shortTitleOf(session.head);
    if (isNative(session)) {
      const { path, sizeBytes } = session.ref;
      const facts = { ref, files: [path], pieces: [], rows: 0, sizeBytes };
      const text = planText(title, facts, context);
      await confirmPlan({ text, json: facts }, invocation, context);
      return told(facts, deleteOwn(path, context), { title, context });
    }
    const plan = await planDeletion(session, context.env);
    refuseWhileWritten(plan, context);
    const { files, pieces, rowCount: rows, sizeBytes } = plan;
    const facts = { ref, files, pieces, rows, sizeBytes };
    const text = planText(title, facts, context);
    await confirmPlan({ text, json: facts }, invocation, context);
    return told(facts, await deleteSession(plan, context.env), { title, context });
  },
};

interface Facts extends Deleted {
  readonly ref: string;
}

/** Parts that a plan names one by one; of more it says how many. */
const namedParts = 12;

function planText(title: string, facts: Facts, { env }: CommandContext): string {
  const parts = deletedParts(facts, env, namedParts).map((part) => `  ${part}\n`);
  const frees = freedText(facts.sizeBytes);
  return `Would delete “${title}” (${safeLine(facts.ref)}):\n${parts.join("")}${frees}\n`;
}

async function told(
  facts: Facts,
  done: { readonly entry: number; readonly copy: string },
  { title, context }: { readonly title: string; readonly context: CommandContext },
): Promise<void> {
  if (context.json) return context.out.writeJson({ ...facts, done: true, ...done });
  const [agent = "", id = ""] = facts.ref.split(/:(.*)/s);
  const named = safeLine(`${agent}:${shortId(id)}`);
  context.out.note(
    `Deleted “${title}” (${named}). Bring it back with \`reprise undo ${done.entry}\`: ${done.entry} is its number in \`reprise undo --list\`.`,
  );
}
