import { RepriseError } from "../../../base/errors.ts";
import type { JournalEntry } from "../../../log/read-journal.ts";
import { restoreKind } from "../../../snapshot/restore/restore-entry.ts";
import { previewUndo } from "../../../snapshot/restore/take-back.ts";
import { describeEntry, undoneText } from "../../../store/describe-entry.ts";
import { entryToUndo, undoableEntries, undo as undoEntry } from "../../../store/undo.ts";
import { withHomelyPaths } from "../render/path-text.ts";
import { relativeTime } from "../render/time.ts";
import { confirmFiles } from "../rewind/confirm-files.ts";
import type { Command, CommandContext } from "../run/command.ts";
import { yesFlag } from "../run/plan.ts";
import { registerTakingBack } from "../run/taking-back.ts";
import { homeOf } from "../sessions/native.ts";
import { safeLine, safeText } from "../terminal/terminal-text.ts";

/** `reprise undo`: takes back the last thing done, or a named one. */
export const undo: Command = {
  name: "undo",
  summary: "undo the last change, or a named one",
  details: `Can be undone: deletions, memories that you stored, changed, approved or rejected, hooks, commands inside agents, sessions written for other agents, imports, sources, restored
backups, rewinds, prunes, and titles, tags and pins of other agents' sessions. If files of your project would change, the plan is shown first and --yes
applies it; the present files are kept in a checkpoint. All else is undone at once, because nothing of yours can be lost: what
Reprise added is removed only as long as nobody has changed it, such as a fork in which nothing was said since. A
forgotten memory stays forgotten. Directly after an undo of a rewind, \`reprise redo\` goes forward again.`,
  args: [{ name: "[entry]", says: "the number of the entry (default: the last one)" }],
  flags: [
    { flags: "--list", says: "list what can be undone, newest first", kind: "switch" },
    { ...yesFlag, says: "apply a plan that changes files; all else needs no --yes" },
  ],
  examples: [
    { line: "reprise undo --list", says: "list what can be undone" },
    { line: "reprise undo", says: "undo the last change" },
  ],
  json: `{ undone: Entry, did: string } or, with --list, { entries: Entry[] }
or, if files would change and --yes is not given, { undoes: Entry, files: Files, done: false }
Files = { folder: string, steps: { path: string, action: "create" | "change" | "delete" }[],
  left: { path: string, why: string }[] }
Entry = { id: number, at: string, kind: string, says: string }`,
  changes: ({ flags }) => !flags.isSet("list"),
  run: async (invocation, context) => {
    const { args, flags } = invocation;
    registerTakingBack();
    const home = homeOf(context);
    if (flags.isSet("list")) return list(undoableEntries(home), context);
    const wanted = numberOf(args[0]);
    const next = entryToUndo(home, wanted);
    if (next.kind === restoreKind && !flags.isSet("yes")) {
      const { plan } = previewUndo(home, next.data, context.env);
      const undoes = describeEntry(home, next);
      const title = `Would undo: ${undoes.says}.`;
      return confirmFiles({ undoes }, plan, { title, invocation, context });
    }
    const { undone, ...taken } = await undoEntry(home, next.id, context.env);
    if (context.json) return context.out.writeJson({ undone, did: taken.did });
    context.out.note(safeText(withHomelyPaths(undoneText(undone, taken), context.env)));
  },
};

function numberOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw new RepriseError("usage", `Not the number of an entry: ${given}.`);
}

async function list(open: readonly JournalEntry[], context: CommandContext): Promise<void> {
  const home = homeOf(context);
  const entries = open.map((entry) => describeEntry(home, entry));
  if (context.json) return context.out.writeJson({ entries });
  if (open.length === 0) return context.out.write("Nothing can be undone.\n");
  const width = String(open[0]?.id ?? "").length;
  for (const { id, at, says } of entries) {
    const age = relativeTime(Date.parse(at), context.nowMs).padEnd(10);
    await context.out.write(
      `${String(id).padStart(width)}  ${age}  ${safeLine(withHomelyPaths(says, context.env))}\n`,
    );
  }
}
