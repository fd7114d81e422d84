import { resolve } from "node:path";
import { type NamedSession, referenceTo, resolveReference } from "../../../agents/reference.ts";
import { RepriseError } from "../../../base/errors.ts";
import { sectionsOfPath } from "../../../bridge/ledger/path-sections.ts";
import { sessionHandover } from "../../../bridge/ledger/session-handover.ts";
import { writeNotes } from "../../../convert/write-notes.ts";
import type { SessionEvent } from "../../../model/event.ts";
import { writePieces } from "../../../store/output-file.ts";
import { folderNamed } from "../resume/conversion.ts";
import type { Command, CommandContext, Invocation } from "../run/command.ts";
import { homeOf } from "../sessions/native.ts";
import { maskedSentence } from "../share/masking.ts";
import { refuseSealed, unsealFlag } from "../share/unseal.ts";
import { safeLine, safeText } from "../terminal/terminal-text.ts";

const defaultTokens = 3_000;

/** `reprise handoff`: a session in a page, for any agent or person. */
export const handoff: Command = {
  name: "handoff",
  summary: "summarise a session on a page of Markdown, for any agent or person",
  details: `Contains what is known of goal, state, decisions, files, commands, open ends and the last exchange, within a token
budget. No model is used; secrets are masked. With --in the page is written where a program that keeps notes finds it;
\`reprise undo\` removes it.`,
  args: [{ name: "<ref...>", says: "the session, or the event to stop at: ref@57" }],
  flags: [
    {
      flags: "--budget <tokens>",
      says: `limit its length (default ${defaultTokens})`,
      kind: "count",
    },
    { flags: "-o, --output <file>", says: "write to this file instead", kind: "text" },
    { flags: "--in <agent>", says: "write it into this program's notes", kind: "text" },
    {
      flags: "--cwd <folder>",
      says: "with --in: the project it is for (default: the session's own folder)",
      kind: "text",
    },
    {
      flags: "--replace",
      says: "with --in: replace the one file the program has, after a backup",
      kind: "switch",
    },
    { flags: "--yes", says: "overwrite the file if it exists", kind: "switch" },
    unsealFlag,
  ],
  examples: [
    { line: "reprise handoff @last", says: "print what the next agent must know" },
    { line: "reprise handoff @last -o handoff.md", says: "into a file" },
    {
      line: "reprise handoff 3f9a --budget 800 | xclip",
      says: "short, into the clipboard; pbcopy on macOS, clip on Windows",
    },
    {
      line: "reprise handoff 3f9a --in continuous-claude",
      says: "into the hand-offs of this project",
    },
  ],
  json: `{ ref: string, text: string, masked: { rule: string, count: number }[],
  written?: { ref: string, path: string, entry: number }, output?: { path: string, sizeBytes: number } }`,
  changes: ({ flags }) => flags.isSet("in") || flags.isSet("output"),
  run: async (invocation, context) => {
    const { args, flags } = invocation;
    const [into, file] = [flags.text("in"), flags.text("output")];
    if (into !== undefined && file !== undefined)
      throw new RepriseError("usage", "Give --in or --output, not both.");
    const session = resolveReference(args.join(" "), context);
    // Anyone who opens the file could read it.
    if (file !== undefined) refuseSealed(session.head, invocation);
    const budgetTokens = flags.number("budget") ?? defaultTokens;
    const { text, path, masked } = await sessionHandover(session, { budgetTokens });
    const output =
      file === undefined ? undefined : await writePage(file, text, invocation, context);
    const written =
      into === undefined
        ? undefined
        : await writeInto(into, { session, path, text, invocation, context });
    if (context.json) {
      const answer = { ref: referenceTo(session), text, masked };
      return context.out.writeJson({
        ...answer,
        ...(written !== undefined && { written }),
        ...(output !== undefined && { output }),
      });
    }
    if (file !== undefined)
      return context.out.note(`Written to ${safeLine(file)}. ${maskedSentence(masked)}`);
    await context.out.write(
      written === undefined ? `${safeText(text).trimEnd()}\n` : `${written.path}\n`,
    );
  },
};

async function writePage(
  file: string,
  text: string,
  { flags }: Invocation,
  context: CommandContext,
): Promise<{ readonly path: string; readonly sizeBytes: number }> {
  const path = resolve(context.folder, file);
  const options = { overwrite: flags.isSet("yes"), home: homeOf(context) };
  return { path, sizeBytes: await writePieces(path, [`${text.trimEnd()}\n`], options) };
}

interface Handed {
  readonly session: NamedSession;
  readonly path: readonly SessionEvent[];
  readonly text: string;
  readonly invocation: Invocation;
  readonly context: CommandContext;
}

async function writeInto(
  name: string,
  { session, path, text, invocation, context }: Handed,
): Promise<{ readonly ref: string; readonly path: string; readonly entry: number }> {
  const target = context.agents.find((agent) => agent.name === name);
  if (target?.notesWriter === undefined) {
    const able = context.agents.filter(({ notesWriter }) => notesWriter !== undefined);
    throw new RepriseError(
      target === undefined ? "usage" : "unsupported",
      target === undefined
        ? `There is no agent ${JSON.stringify(name)}.`
        : `Notes cannot be written for ${target.title}.`,
      { hint: `Notes can be written for: ${able.map((agent) => agent.name).join(", ")}.` },
    );
  }
  // Anyone who opens the program's files could read it.
  refuseSealed(session.head, invocation);
  const { written, entry } = await writeNotes({
    head: session.head,
    notes: { sections: sectionsOfPath(path), page: text },
    target,
    env: context.env,
    cwd: folderNamed(invocation.flags.text("cwd"), context),
    replace: invocation.flags.isSet("replace"),
  });
  return { ref: `${name}:${written.ref.session}`, path: written.ref.path, entry };
}
