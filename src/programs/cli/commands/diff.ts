import { resolve } from "node:path";
import { findSessions, sessionsOfFolder } from "../../../agents/find-sessions.ts";
import { shortReference } from "../../../agents/reference.ts";
import { isWithin } from "../../../base/within.ts";
import { dialectsOf } from "../../../catalog/blame/call-acts.ts";
import { diffPoints, type FileDiff } from "../../../catalog/diff/diff-points.ts";
import { makersBetween } from "../../../catalog/diff/makers-between.ts";
import { type SessionWork, type Work, workBetween } from "../../../catalog/diff/session-work.ts";
import { realPathOf } from "../../../store/project.ts";
import { fileDiffText, placelessNote, statText } from "../render/diff-text.ts";
import { unshownText } from "../render/unshown-text.ts";
import type { Command, CommandContext, Invocation } from "../run/command.ts";
import {
  beginningOf,
  capturedNow,
  changedOnDisk,
  changedPaths,
  type DiffPoint,
  knowing,
  nowAt,
  resolvePoint,
} from "../sessions/diff-point.ts";
import { homeOf } from "../sessions/native.ts";
import { printPaged } from "../terminal/pager.ts";
import { progress } from "../terminal/progress.ts";

/** `reprise diff`: what changed in files between two moments, and which call changed it. */
export const diff: Command = {
  name: "diff",
  summary: "show what changed in files, and which call changed it",
  details: `A moment is a checkpoint (number or label), an event (ref@57), a session (its end), or \`now\`. A single session is
compared with its own beginning, anything else with \`now\`. Checkpoints contain the files themselves; for sessions, the edits
of their calls are replayed, from the newest checkpoint before the event if there is one. Each change says which call made
it, which command may have made it, or that it was made outside of any session. What a command did to files is known only
from checkpoints, or if the command says the content it writes: other commands of a session that may have changed files are
listed at the end. Words after \`--\` are paths: only these, and what is in them, are shown. The output is a unified diff
for \`git apply\`.`,
  args: [
    { name: "<a>", says: "the start: a checkpoint, an event, a session" },
    { name: "[b]", says: "the end (default: now)" },
  ],
  flags: [
    {
      flags: "--stat",
      says: "show only how much changed in each file, and by whom",
      kind: "switch",
    },
    { flags: "--word", says: "mark words instead of lines", kind: "switch" },
  ],
  examples: [
    { line: "reprise diff 12", says: "from checkpoint 12 to the files as they are now" },
    { line: "reprise diff @last", says: "all edits of the newest session" },
    { line: "reprise diff @last -- src/a.ts docs", says: "of one file and one folder alone" },
    { line: "reprise diff 3f9a@12 3f9a@57 --stat", says: "between two events" },
    { line: "reprise diff 3f9a now --word", says: "what became of it since, word by word" },
  ],
  json: `{ from: string, to: string, files: { path: string, action: "created" | "modified" | "deleted",
  added: number, removed: number, note?: string, by: Maker[],
  hunks: { from: [number, number], to: [number, number], told?: true, by: Maker[],
    lines: { kind: "added" | "removed" | "same", text: string, at: number }[] }[] }[],
  commands: { ref: string, command: string, paths: string[] }[] }
type Maker = { kind: "edit", ref: string, tool?: string, prompt?: string }
  | { kind: "shell", ref: string, command: string, others?: number } | { kind: "outside" }`,
  pathsBehind: true,
  run: async (invocation, context) => {
    const told = progress(context, { verb: "Reading", toFile: true });
    try {
      const points = knowing(await pointsOf(invocation, context));
      const work = await workOf(points, context, told.add);
      told.end();
      await print(points, work, { invocation, context });
    } finally {
      told.end();
    }
  },
};

type Pair = readonly [DiffPoint, DiffPoint];

async function pointsOf({ args }: Invocation, context: CommandContext): Promise<Pair> {
  const [one = "", two] = args;
  const first = await resolvePoint(one, context);
  // A folder is looked at where the other end's files lie.
  const now = (other: DiffPoint): DiffPoint =>
    other.snapshot === undefined
      ? nowAt(other.folder, context)
      : capturedNow(other.folder, context);
  if (two === undefined) {
    const isWhole = first.kind === "session" && !invokedWithEvent(first);
    return isWhole ? [beginningOf(first), first] : [first, now(first)];
  }
  const second = await resolvePoint(two, context);
  if (first.kind === "now") return [now(second), second];
  return second.kind === "now" ? [first, now(first)] : [first, second];
}

function invokedWithEvent({ name }: DiffPoint): boolean {
  return name.lastIndexOf("@") > 0;
}

/** What was done between two points: by the session alone where both are its own, else by all of the folder. */
async function workOf(
  [from, to]: Pair,
  context: CommandContext,
  onEvents: (count: number) => void,
): Promise<Work> {
  const isOfSessions = from.kind === "session" && to.kind === "session";
  if (isOfSessions && (from.snapshot ?? to.snapshot) === undefined) return ownWork(from, to);
  const folder = from.folder;
  const sessions = sessionsOfFolder(findSessions(context, { subagents: true }), folder);
  const [fromMs, toMs] = [Math.min(from.atMs, to.atMs) + 1, Math.max(from.atMs, to.atMs)];
  const dialects = dialectsOf(context.agents);
  return workBetween(sessions, { fromMs, toMs }, { dialects, folder, onEvents });
}

/** The acts that only one of two branches has; at the event of a call itself, it has done nothing yet. */
function ownWork(from: DiffPoint, to: DiffPoint): Work {
  const [before, after] = [from, to].map(({ work }) =>
    (work?.acts ?? []).filter(({ act }) => act.outcome === "done"),
  );
  const known = new Set(before!.map(({ ref }) => ref));
  const later = new Set(after!.map(({ ref }) => ref));
  const isBeginning = from.acts.length === 0;
  const acts = isBeginning
    ? after!
    : [
        ...after!.filter(({ ref }) => !known.has(ref)),
        ...before!.filter(({ ref }) => !later.has(ref)),
      ];
  return { acts, shells: [] };
}

type Unshown = SessionWork["unshown"];

/** Commands that only one of two branches has, where edits are all that is known of what was done. */
function unshownBetween([from, to]: Pair): Unshown {
  if (to.kind !== "session" || from.kind !== "session") return [];
  if ((from.snapshot ?? to.snapshot) !== undefined) return [];
  const [before, after] = [from, to].map(({ work }) => work?.unshown ?? []);
  if (from.atMs === 0 && from.acts.length === 0) return after!;
  const isOnlyIn = (other: Unshown) => (one: Unshown[number]) =>
    !other.some(({ ref }) => ref === one.ref);
  return [...after!.filter(isOnlyIn(before!)), ...before!.filter(isOnlyIn(after!))];
}

/** Whether a path is one of those behind `--`, or lies in one; each is, where none was given. */
function wantedPaths(
  paths: readonly string[] | undefined,
  { folder }: DiffPoint,
  context: CommandContext,
): (path: string) => boolean {
  if (paths === undefined) return () => true;
  // A session may say the folder by another name than the disk does.
  const here = [context.folder, realPathOf(context.folder)];
  // Somewhere else the paths are meant as they are printed.
  const bases = here.some((one) => isWithin(one, folder)) ? here : [folder];
  const wanted = bases.flatMap((from) => paths.map((path) => resolve(from, path)));
  return (path) => wanted.some((one) => isWithin(resolve(folder, path), one));
}

async function print(
  [from, to]: Pair,
  work: Work,
  { invocation, context }: { readonly invocation: Invocation; readonly context: CommandContext },
): Promise<void> {
  const acts = [...from.acts, ...to.acts, ...work.acts];
  const edited = acts.flatMap(({ path, movedTo }) =>
    movedTo === undefined ? [path] : [path, movedTo],
  );
  const isWanted = wantedPaths(invocation.paths, from, context);
  const paths = [...edited, ...changedPaths([from, to], context)].filter(isWanted);
  const unshown = unshownBetween([from, to]).filter(({ paths: may }) =>
    may.some((path) => path === "." || isWanted(path)),
  );
  const isNow = from.kind === "now" || to.kind === "now";
  const given = { work, ...(isNow && { changedMs: changedOnDisk(from.folder) }) };
  const isCaptured = from.snapshot !== undefined && to.snapshot !== undefined;
  const files: Iterable<FileDiff> = diffPoints([from, to], paths, {
    ...given,
    ...(isCaptured && {
      others: makersBetween(homeOf(context), [from.snapshot, to.snapshot], given),
    }),
  });
  if (context.json) {
    return context.out.writeJson({
      from: from.name,
      to: to.name,
      files: [...files],
      commands: unshown,
    });
  }
  if (invocation.flags.isSet("stat")) {
    const all = [...files];
    const stat = all.length === 0 ? nothing(unshown) : statText(all, context);
    return printPaged([stat, commandsText(unshown, context)], context);
  }
  const words = invocation.flags.isSet("word");
  await printPaged(texts(files, { ...context, words, unshown }), context);
}

function nothing(unshown: Unshown): string {
  return unshown.length === 0 ? "Nothing differs.\n" : "No edit changed a file.\n";
}

function commandsText(unshown: Unshown, options: CommandContext, mark = ""): string {
  const rows = unshown.map(({ ref, command }) => {
    const at = ref.lastIndexOf("@");
    return { place: `${shortReference(ref.slice(0, at))}${ref.slice(at)}`, command };
  });
  return unshownText(rows, { ...options, mark });
}

function* texts(
  files: Iterable<FileDiff>,
  options: CommandContext & { readonly words: boolean; readonly unshown: Unshown },
): Generator<string> {
  const shown: FileDiff[] = [];
  for (const file of files) {
    shown.push(file);
    yield fileDiffText(file, options);
  }
  yield shown.length === 0 ? nothing(options.unshown) : placelessNote(shown, options);
  yield commandsText(options.unshown, options, "# ");
}
