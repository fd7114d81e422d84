import { RepriseError } from "../../../base/errors.ts";
import type { JournalEntry } from "../../../log/read-journal.ts";
import { restoreKind } from "../../../snapshot/restore/restore-entry.ts";
import { previewRedo } from "../../../snapshot/restore/take-back.ts";
import { describeEntry } from "../../../store/describe-entry.ts";
import { isRedoable, redoableEntry, redo as redoEntry } from "../../../store/redo.ts";
import { withHomelyPaths } from "../render/path-text.ts";
import { commandAgain } from "../rewind/command-again.ts";
import { confirmFiles } from "../rewind/confirm-files.ts";
import { registerRedoing } from "../rewind/redoing.ts";
import type { Command, CommandContext } from "../run/command.ts";
import { yesFlag } from "../run/plan.ts";
import { registerTakingBack } from "../run/taking-back.ts";
import { homeOf } from "../sessions/native.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** `reprise redo`: does again what was undone last. */
export const redo: Command = {
  name: "redo",
  summary: "redo what was undone last",
  details: `Works directly after \`reprise undo\` of a rewind of files or of a conversation, once for each undo in a row. Nothing else
can be redone, such as a deletion, a conversion or a memory: the command that does it again is named where it is known. If files
would change, the plan is shown first.`,
  args: [],
  flags: [yesFlag],
  examples: [{ line: "reprise redo --yes", says: "go where you were before the undo" }],
  json: `{ redone: Entry, did: string }
or, if files would change and --yes is not given, { redoes: Entry, files: Files, done: false }
Entry = { id: number, at: string, kind: string, says: string }
Files = { folder: string, steps: { path: string, action: "create" | "change" | "delete" }[],
  left: { path: string, why: string }[] }`,
  changes: () => true,
  run: async (invocation, context) => {
    registerTakingBack();
    registerRedoing(context);
    const home = homeOf(context);
    const next = redoableEntry(home);
    if (next !== undefined && !isRedoable(next.entry)) throw notRedoable(next.entry, context);
    if (next?.entry.kind === restoreKind && !invocation.flags.isSet("yes")) {
      const { entry, intention } = next;
      const deed = { entry: entry.id, data: entry.data, intention };
      const { plan } = previewRedo(home, deed, context.env);
      const redoes = describeEntry(home, entry);
      const title = `Would redo: ${redoes.says}.`;
      return confirmFiles({ redoes }, plan, { title, invocation, context });
    }
    const { entry, did } = await redoEntry(home, context.env);
    const redone = describeEntry(home, entry);
    if (context.json) return context.out.writeJson({ redone, did });
    context.out.note(`Redone: ${safeLine(redone.says)}; ${safeLine(did)}.`);
  },
};

function notRedoable(entry: JournalEntry, context: CommandContext): RepriseError {
  const says = withHomelyPaths(describeEntry(homeOf(context), entry).says, context.env);
  const line = commandAgain(entry);
  return new RepriseError("unsupported", `This cannot be redone: ${says}.`, {
    hint: line === undefined ? "Run its command again." : `To do it again: \`${line}\`.`,
  });
}
