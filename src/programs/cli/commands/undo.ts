import { RepriseError } from "../../../base/errors.ts";
import { asArray, isObject, type JsonObject } from "../../../base/json.ts";
import type { JournalEntry } from "../../../log/read-journal.ts";
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
    "What can be taken back: hooks, commands inside agents, sessions written for other agents, imports, rewinds, prunes, and titles, tags and pins of other agents' sessions.",
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
    registerTakingBack(context.agents, context);
    if (flags.isSet("list")) return list(undoableEntries(homeOf(context)), context);
    const { entry, did } = await undoEntry(homeOf(context), numberOf(args[0]));
    if (context.json) return context.out.writeJson({ undone: told(entry), did });
    context.out.note(`Undone: ${safeLine(told(entry).says)}; ${safeLine(did)}.`);
  },
};

function numberOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw new RepriseError("usage", `Not the number of an entry: ${given}.`);
}

interface Told {
  readonly id: number;
  readonly at: string;
  readonly kind: string;
  readonly says: string;
}

function told({ id, at, kind, data }: JournalEntry): Told {
  return { id, at, kind, says: sentenceOf(kind, data) };
}

function sentenceOf(kind: string, data: JsonObject): string {
  const { agent, session, to, from, removed } = data;
  switch (kind) {
    case "mark":
      return `title, tags or pin of ${String(agent)}:${String(session)}`;
    case "rewind":
      return `rewind of ${String(session)} to event ${String(to)}`;
    case "prune":
      return `removal of ${asArray(removed).length === 1 ? "1 session" : `${asArray(removed).length} sessions`}`;
    case "import":
      return `import of ${isObject(from) ? `${from["agent"]}:${from["session"]}` : "a session"} as ${session}`;
    case "settings":
      return `change of ${String(data["file"])}`;
    case "slash-commands":
      return `commands inside ${String(agent)}`;
    case "convert":
      return `${isObject(to) ? `${to["agent"]}:${to["session"]}` : "a session"}, written from ${isObject(from) ? `${from["agent"]}:${from["session"]}` : "another"}`;
    default:
      return kind;
  }
}

async function list(open: readonly JournalEntry[], context: CommandContext): Promise<void> {
  if (context.json) return context.out.writeJson({ entries: open.map(told) });
  if (open.length === 0) return context.out.write("Nothing can be undone.\n");
  const width = String(open[0]?.id ?? "").length;
  for (const entry of open) {
    const { id, at, says } = told(entry);
    const age = relativeTime(Date.parse(at), context.nowMs).padEnd(10);
    await context.out.write(`${String(id).padStart(width)}  ${age}  ${safeLine(says)}\n`);
  }
}
