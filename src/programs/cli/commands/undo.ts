import { RepriseError } from "../../../base/errors.ts";
import type { JournalEntry } from "../../../log/read-journal.ts";
import { describeEntry } from "../../../store/describe-entry.ts";
import { undoableEntries, undo as undoEntry } from "../../../store/undo.ts";
import { relativeTime } from "../render/time.ts";
import type { Command, CommandContext } from "../run/command.ts";
import { registerTakingBack } from "../run/taking-back.ts";
import { homeOf } from "../sessions/native.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** `reprise undo`: takes back the last thing done, or a named one. */
export const undo: Command = {
  name: "undo",
  summary: "take back the last change, or a named one",
  details:
    "What can be taken back: hooks, commands inside agents, sessions written for other agents, imports, sources, rewinds, prunes, and titles, tags and pins of other agents' sessions.",
  args: [{ name: "[entry]", says: "the number of the entry; the last one where none is named" }],
  flags: [{ flags: "--list", says: "what can be taken back, newest first", kind: "switch" }],
  examples: [
    { line: "reprise undo --list", says: "what was done" },
    { line: "reprise undo", says: "take the last one back" },
  ],
  json: `{ undone: Entry, did: string } or, with --list, { entries: Entry[] }
Entry = { id: number, at: string, kind: string, says: string }`,
  changes: ({ flags }) => !flags.isSet("list"),
  run: async ({ args, flags }, context) => {
    registerTakingBack();
    if (flags.isSet("list")) return list(undoableEntries(homeOf(context)), context);
    const { entry, did } = await undoEntry(homeOf(context), numberOf(args[0]), context.env);
    if (context.json) return context.out.writeJson({ undone: describeEntry(entry), did });
    context.out.note(`Undone: ${safeLine(describeEntry(entry).says)}; ${safeLine(did)}.`);
  },
};

function numberOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw new RepriseError("usage", `Not the number of an entry: ${given}.`);
}

async function list(open: readonly JournalEntry[], context: CommandContext): Promise<void> {
  if (context.json) return context.out.writeJson({ entries: open.map(describeEntry) });
  if (open.length === 0) return context.out.write("Nothing can be undone.\n");
  const width = String(open[0]?.id ?? "").length;
  for (const entry of open) {
    const { id, at, says } = describeEntry(entry);
    const age = relativeTime(Date.parse(at), context.nowMs).padEnd(10);
    await context.out.write(`${String(id).padStart(width)}  ${age}  ${safeLine(says)}\n`);
  }
}
