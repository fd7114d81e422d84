import { statSync } from "node:fs";
import { resolve } from "node:path";
import { readSession } from "../../../agents/reading.ts";
import { resolveReference } from "../../../agents/reference.ts";
import { isRepriseError, RepriseError } from "../../../base/errors.ts";
import { ownAgent } from "../../../store/own-agent.ts";
import { count } from "../render/count.ts";
import type { Command, CommandContext } from "../run/command.ts";
import { type ImportSource, importSession } from "../sessions/import-session.ts";
import { readExport } from "../sessions/read-export.ts";
import { withProgress } from "../terminal/progress.ts";

/** `reprise import`: brings an exported or another agent's session into our own store. */
export const importCommand: Command = {
  name: "import",
  summary: "bring an exported or another agent's session into the store",
  details: `A file that \`reprise export --format json\` or jsonl wrote, or a reference to a session. The source is
only read. Of another agent's session the live path is taken. \`reprise undo\` removes it again.`,
  args: [{ name: "<source...>", says: "the file, or the session" }],
  flags: [],
  examples: [
    { line: "reprise import session.json", says: "an exported session" },
    { line: "reprise import claude-code:3f9a", says: "another agent's session" },
  ],
  json: "{ ref: string, session: string, file: string, events: number, left: number, entry: number }",
  changes: () => true,
  run: async ({ args }, context) => {
    const text = args.join(" ");
    const source = sourceOf(text, context);
    const events = withProgress(source.events, context, { verb: "Imported", toFile: true });
    const made = await importSession({ ...source, events }, context);
    // The id alone may be that of the source too.
    const ref = `${ownAgent}:${made.session}`;
    if (context.json) return context.out.writeJson({ ref, ...made });
    await context.out.write(`${ref}\n`);
    context.out.note(`Imported ${count(made.events, "event")}.`);
    if (made.left > 0)
      context.out.note(`Left out ${count(made.left, "event")} on others that are not there.`);
  },
};

/** A file is an exported session first; what is not one may still be a session's own file. */
function sourceOf(text: string, context: CommandContext): ImportSource {
  const path = resolve(context.folder, text);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) {
    return foundSource(text, context);
  }
  try {
    return readExport(path);
  } catch (error) {
    if (!isRepriseError(error, "bad_input")) throw error;
    try {
      return foundSource(text, context);
    } catch {
      throw error;
    }
  }
}

function foundSource(text: string, context: CommandContext): ImportSource {
  const found = resolveReference(text, context);
  if (found.event !== undefined) {
    throw new RepriseError("usage", "A session is imported whole; leave the event out.");
  }
  return { head: found.head, events: readSession(found).events };
}
