import { restoreKind } from "../../../snapshot/restore/restore-entry.ts";
import { previewRedo } from "../../../snapshot/restore/take-back.ts";
import { describeEntry } from "../../../store/describe-entry.ts";
import { redoableEntry, redo as redoEntry } from "../../../store/redo.ts";
import { confirmFiles } from "../rewind/confirm-files.ts";
import { registerRedoing } from "../rewind/redoing.ts";
import type { Command } from "../run/command.ts";
import { yesFlag } from "../run/plan.ts";
import { registerTakingBack } from "../run/taking-back.ts";
import { homeOf } from "../sessions/native.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** `reprise redo`: does again what was undone last. */
export const redo: Command = {
  name: "redo",
  summary: "redo what was undone last",
  details: `Works directly after \`reprise undo\` of a rewind, once for each undo in a row. After any other change that can be
undone, there is nothing to redo. If files would change, the plan is shown first.`,
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
