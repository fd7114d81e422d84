import { referenceTo, resolveReference, shortId } from "../../../agents/reference.ts";
import { RepriseError } from "../../../base/errors.ts";
import { deleteSession, planDeletion, refuseWhileWritten } from "../../../vault/delete-session.ts";
import { type Deleted, deletedParts, freedText } from "../render/deletion-text.ts";
import { shortTitleOf } from "../render/heading.ts";
import type { Command, CommandContext, FlagSpec, FlagValues } from "../run/command.ts";
import { confirmPlan, yesFlag } from "../run/plan.ts";
import { longName } from "../run/unknown-option.ts";
import { chosenWords } from "../sessions/chosen-words.ts";
import { deleteChosen } from "../sessions/delete-chosen.ts";
import { deleteOwn } from "../sessions/delete-own.ts";
import { isNative } from "../sessions/native.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { filterFlags, filterFrom } from "./list.ts";

/** The filters of a list; but times are those of the last change. */
const filters: readonly FlagSpec[] = filterFlags.map((flag) => {
  if (flag.kind === "time")
    return { ...flag, says: "last changed since: 2026-11-01, yesterday, 3d" };
  if (flag.kind !== "until") return flag;
  return { ...flag, says: "last changed until: 6mo, 2026-05; a day, week or month is included" };
});

/** `reprise delete`: deletes a session with all that belongs to it; a copy is kept, and `undo` brings it back. */
export const deleteCommand: Command = {
  name: "delete",
  summary: "delete a session, or all that are old or of a project; undo brings them back",
  details: `Works for Reprise's own sessions and those of every agent: files, side files, parts of shared files, and rows of
databases. A compressed copy is made first, and \`reprise undo\` restores it byte for byte. A session that its agent may be
writing is refused: its program has it open, names it, changed it just now, or runs in its folder, where it is the newest.
Without --yes the plan is shown.
Filters in place of a reference delete every session of every agent that passes all of them: \`--until 6mo\` all that nobody
changed in the last six months. --until goes by the last change of a session or of a file beside it; \`reprise list --until\` goes
by the beginning. Pinned sessions are left out unless --pinned is given, and so are those that may be being written.`,
  args: [{ name: "[ref...]", says: "the session" }],
  flags: [
    ...filters,
    { flags: "--pinned", says: "with filters: pinned sessions too", kind: "switch" },
    yesFlag,
  ],
  examples: [
    { line: "reprise delete 3f9a", says: "show what would be deleted" },
    { line: "reprise delete 3f9a --yes", says: "delete it; `reprise undo` brings it back" },
    {
      line: "reprise delete --project old-app",
      says: "show which sessions of a project would be deleted",
    },
    {
      line: "reprise delete --until 6mo",
      says: "the sessions of every agent that were not changed for six months",
    },
    {
      line: "reprise delete --agent codex --until 2026-05 --yes",
      says: "delete those of one agent",
    },
  ],
  json: `{ ref: string, files: string[], pieces: { path: string, offset: number, sizeBytes: number }[], rows: number,
  sizeBytes: number, done: boolean, entry?: number, copy?: string }
with filters: { refs: string[], groups: { agent: string, project: string, sessions: number, sizeBytes: number }[],
  oldest: string, newest: string, pinned: string[], left: string[], sizeBytes: number, done: boolean, entry?: number }
pinned and left stay; left says why: "<ref>: <reason>"`,
  changes: ({ flags }) => flags.isSet("yes"),
  run: async (invocation, context) => {
    const { flags } = invocation;
    const isFiltered = filters.some((flag) => flags.isSet(nameOf(flag)));
    const isOne = invocation.args.length > 0;
    if (isOne === isFiltered) {
      throw new RepriseError("usage", "Name a session, or give a filter such as --until.", {
        hint: "Such as `reprise delete 3f9a`, `reprise delete --until 6mo`, or `reprise delete --project old-app`.",
      });
    }
    if (isFiltered) {
      refuseBlank(flags);
      const { untilMs, ...filter } = filterFrom(invocation, context.env.cwd);
      const wanted = { filter, untilMs, pinned: flags.isSet("pinned") };
      return deleteChosen(wanted, { words: chosenWords(filter, untilMs), invocation }, context);
    }
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

/** A script whose variable is empty means nothing, and these would be in every path. */
function refuseBlank(flags: FlagValues): void {
  for (const name of filters.map(nameOf)) {
    const text = flags.text(name);
    if (text === undefined || /[\p{L}\p{N}\p{So}]/u.test(text)) continue;
    throw new RepriseError("usage", `--${name} ${JSON.stringify(text)} names no ${name}.`, {
      hint: "Nothing was deleted.",
    });
  }
}

function nameOf(flag: FlagSpec): string {
  return longName(flag).slice(2);
}

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
