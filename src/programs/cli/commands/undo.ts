import { undoneEntries, undoneKind } from "../../../agents/annotations.ts";
import { RepriseError } from "../../../base/errors.ts";
import { type JournalEntry, journalEntries, record } from "../../../log/journal.ts";
import type { Command, CommandContext } from "../command.ts";
import { homeOf } from "../native.ts";
import { safeLine } from "../terminal-text.ts";
import { relativeTime } from "../time.ts";
import { undoKinds } from "../undo-kinds.ts";

/** `reprise undo`: takes back the last thing done, or a named one. */
export const undo: Command = {
  name: "undo",
  summary: "take back the last change, or a named one",
  details:
    "What can be taken back: rewinds, prunes, imports, and titles, tags and pins of other agents' sessions.",
  args: [{ name: "[entry]", says: "the number of the entry; the last one where none is named" }],
  flags: [{ flags: "--list", says: "what can be taken back, newest first", kind: "switch" }],
  examples: [
    { line: "reprise undo --list", says: "what was done" },
    { line: "reprise undo", says: "take the last one back" },
  ],
  json: "{ undone: Entry } or, with --list, { entries: Entry[] }\nEntry = { id: number, at: string, kind: string, says: string }",
  run: async ({ args, flags }, context) => {
    const open = openEntries(context);
    if (flags.isSet("list")) return list(open, context);
    const entry = chosen(open, args[0]);
    await undoKinds[entry.kind]!.undo(entry, context);
    record(homeOf(context).journal, undoneKind, { entry: entry.id });
    if (context.json) return context.out.writeJson({ undone: told(entry) });
    context.out.note(`Undone: ${safeLine(told(entry).says)}.`);
  },
};

/** The entries that can be undone and were not yet, newest first. */
function openEntries(context: CommandContext): readonly JournalEntry[] {
  const entries = [...journalEntries(homeOf(context).journal)];
  const undone = undoneEntries(entries);
  return entries
    .filter(({ id, kind }) => Object.hasOwn(undoKinds, kind) && !undone.has(id))
    .reverse();
}

function chosen(open: readonly JournalEntry[], given: string | undefined): JournalEntry {
  if (given === undefined) {
    const last = open[0];
    if (last !== undefined) return last;
    throw new RepriseError("nothing_to_undo", "There is nothing to undo.");
  }
  if (!/^\d{1,15}$/.test(given)) {
    throw new RepriseError("usage", `Not the number of an entry: ${given}.`);
  }
  const entry = open.find(({ id }) => id === Number(given));
  if (entry !== undefined) return entry;
  throw new RepriseError("not_found", `There is no entry ${given} that can be undone.`, {
    hint: "`reprise undo --list` shows what can be undone.",
  });
}

function told({ id, at, kind, data }: JournalEntry): {
  readonly id: number;
  readonly at: string;
  readonly kind: string;
  readonly says: string;
} {
  return { id, at, kind, says: undoKinds[kind]!.says(data) };
}

async function list(open: readonly JournalEntry[], context: CommandContext): Promise<void> {
  if (context.json) return context.out.writeJson({ entries: open.map(told) });
  if (open.length === 0) return context.out.write("Nothing can be undone.\n");
  for (const entry of open) {
    const { id, at, says } = told(entry);
    const age = relativeTime(Date.parse(at), context.nowMs);
    await context.out.write(`${id}  ${age}  ${safeLine(says)}\n`);
  }
}
