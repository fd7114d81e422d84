import { statSync } from "node:fs";
import { resolve } from "node:path";
import { withHeads } from "../../../agents/file-elsewhere.ts";
import type { FoundSession } from "../../../agents/find-sessions.ts";
import { readSession } from "../../../agents/reading.ts";
import { resolveReference } from "../../../agents/reference.ts";
import { isRepriseError, RepriseError } from "../../../base/errors.ts";
import { statOf } from "../../../base/folders.ts";
import { ownAgent } from "../../../store/own-agent.ts";
import { count } from "../render/count.ts";
import type { Command, CommandContext } from "../run/command.ts";
import { type ImportSource, importExport, importSession } from "../sessions/import-session.ts";
import { readExport } from "../sessions/read-export.ts";
import { progress, withProgress } from "../terminal/progress.ts";

/** `reprise import`: brings an exported or another agent's session into our own store. */
export const importCommand: Command = {
  name: "import",
  summary: "import an exported session, or another agent's, into Reprise's own store",
  details: `The source is a file that \`reprise export --format json\` or jsonl wrote, a transcript of an agent, or a reference to a session. It is only
read. Of another agent's session the current branch is taken. \`reprise undo\` removes the import. An export of ChatGPT,
Claude.ai or Gemini (Takeout), as a zip, file or folder, imports all its conversations at once: they form a group of their
own, are listed with \`--all\` or \`--project\`, are searched, and one undo removes all of them.`,
  args: [{ name: "<source...>", says: "the file, or the session" }],
  flags: [],
  examples: [
    { line: "reprise import session.json", says: "an exported session" },
    { line: "reprise import claude-code:3f9a", says: "another agent's session" },
    { line: "reprise import chatgpt-export.zip", says: "every conversation of a web export" },
  ],
  json: `{ ref: string, session: string, file: string, events: number, left: number, entry: number, before?: string }
or, of a web export, { refs: string[], from: string, events: number, entry: number }`,
  changes: () => true,
  run: async ({ args }, context) => {
    const text = args.join(" ");
    const group = exportAt(text, context);
    if (group.length > 0) return importGroup(text, group, context);
    const source = sourceOf(text, context);
    const events = withProgress(source.events, context, { verb: "Imported", toFile: true });
    const made = await importSession({ ...source, events }, context);
    // The id alone may be that of the source too.
    const ref = `${ownAgent}:${made.session}`;
    if (context.json) return context.out.writeJson({ ref, ...made });
    await context.out.write(`${ref}\n`);
    context.out.note(`Imported ${count(made.events, "event")}.`);
    if (made.before !== undefined)
      context.out.note(`This session was imported before as ${ownAgent}:${made.before}.`);
    if (made.left > 0)
      context.out.note(`Left out ${count(made.left, "event")} on others that are not there.`);
  },
};

/** The conversations in a file or folder that agents list only if asked for; a folder of others is not an export. */
function exportAt(text: string, context: CommandContext): readonly FoundSession[] {
  const path = resolve(context.folder, text);
  if (statOf(path) === undefined) return [];
  const agents = context.agents.filter(({ aside }) => aside === true);
  const located = agents.flatMap((agent) =>
    [...(agent.at?.(path, context.env) ?? [])].map((ref) => ({ agent, ref })),
  );
  return withHeads(located, context);
}

async function importGroup(
  text: string,
  group: readonly FoundSession[],
  context: CommandContext,
): Promise<void> {
  const told = progress(context, {
    verb: "Imported",
    toFile: true,
    amount: (done) => count(done, "conversation"),
  });
  const path = resolve(context.folder, text);
  const made = await importExport(path, group, context, () => told.add(1)).finally(told.end);
  const refs = made.sessions.map(({ session }) => `${ownAgent}:${session}`);
  const { events, entry } = made;
  if (context.json) return context.out.writeJson({ refs, from: path, events, entry });
  await context.out.write(refs.map((ref) => `${ref}\n`).join(""));
  context.out.note(
    `Imported ${count(refs.length, "conversation")}. \`reprise list --all\` shows them, \`reprise undo\` removes all of them.`,
  );
}

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
  const path = found.head.elsewhere === true ? { path: found.head.path } : {};
  return { head: found.head, events: readSession(found).events, ...path };
}
