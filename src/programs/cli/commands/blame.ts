import { join, resolve } from "node:path";
import {
  type FoundSession,
  findSessions,
  sessionsOfFolder,
} from "../../../agents/find-sessions.ts";
import { exists } from "../../../base/disk.ts";
import { RepriseError } from "../../../base/errors.ts";
import { buildName } from "../../../base/version.ts";
import { type Blame, blame } from "../../../catalog/blame/blame.ts";
import { type KeptActs, keptActs } from "../../../catalog/blame/kept-acts.ts";
import { isWithin, type Target, targetAt } from "../../../catalog/blame/places.ts";
import { rangesOf } from "../../../catalog/blame/ranges.ts";
import { userHome } from "../../../store/home.ts";
import { blameJson, blameShape } from "../render/blame-json.ts";
import { blameText } from "../render/blame-text.ts";
import { count } from "../render/count.ts";
import type { Command, CommandContext, Invocation } from "../run/command.ts";
import { printPaged } from "../terminal/pager.ts";
import { progress } from "../terminal/progress.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** `reprise blame`: which session, event and prompt last wrote each line of a file. */
export const blameCommand: Command = {
  name: "blame",
  summary: "which session, event and prompt last wrote each line of a file",
  details: `Edits of every agent's tool calls are replayed in the order they were made and held against
the file as it is now. exact: replaying gives this line at this place. likely, possible: the line is
recognised by what it says, because it was moved, reformatted, or written where the replay could not
follow. unknown: no session wrote it as it is; it may have been changed by hand or by a command.`,
  args: [{ name: "<file>", says: "the file, or lines of it: file:120, file:100-140" }],
  flags: [
    {
      flags: "-L, --lines <range>",
      says: "only these lines: 120, 100-140 or 100,140",
      kind: "text",
    },
    {
      flags: "--all",
      says: "look at sessions of every project, not only the file's",
      kind: "switch",
    },
  ],
  examples: [
    { line: "reprise blame src/server.ts", says: "who wrote what in this file" },
    { line: "reprise blame src/server.ts:120", says: "who wrote line 120, and what was asked for" },
    { line: "reprise blame src/server.ts -L 100-140 --json", says: "the same for a script" },
  ],
  json: blameShape,
  run: async (invocation, context) => {
    const asked = askedFor(invocation, context);
    const target = targetAt(asked.path);
    const all = findSessions(context, { subagents: true });
    const sessions = invocation.flags.isSet("all") ? all : sessionsOf(target, all);
    const kept = keptIn(context);
    const told = await withTold(target, { sessions, kept }, context);
    kept.forgetOthers(all);
    if (told.missing && told.last === undefined) throw notThere(asked.path);
    const part = partOf(told, asked.lines);
    const ranges = rangesOf(told, part);
    if (context.json) {
      await context.out.writeJson(blameJson(told, ranges));
      return;
    }
    const text = blameText(told, {
      ...context,
      name: asked.name,
      ranges,
      ids: sessions.map(({ head }) => head.session),
      isPart: asked.lines !== undefined,
    });
    await printPaged([text], context);
  },
};

async function withTold(
  target: Target,
  given: { readonly sessions: readonly FoundSession[]; readonly kept: KeptActs },
  context: CommandContext,
): Promise<Blame> {
  // Nothing is printed before all was read, so the terminal is free for it.
  const told = progress(context, { verb: "Reading", toFile: true });
  try {
    return await blame(target, { ...given, agents: context.agents, onEvents: told.add });
  } finally {
    told.end();
  }
}

/** What earlier calls learned of the sessions. */
function keptIn({ env, agents }: CommandContext): KeptActs {
  const folder = join(userHome(env).derived, "blame");
  return keptActs(folder, { program: buildName, agents });
}

/** Lines somebody asked for, counted from 1. */
interface Lines {
  readonly from: number;
  readonly to: number;
}

function askedFor(
  { args, flags }: Invocation,
  context: CommandContext,
): { readonly name: string; readonly path: string; readonly lines?: Lines } {
  const [given = ""] = args;
  const found = /^(.+):(\d{1,9}(?:[-,]\d{1,9})?)$/s.exec(given);
  // A file may be named like that.
  const isName = found === null || exists(resolve(context.folder, given));
  const name = isName ? given : found[1]!;
  const range = flags.text("lines") ?? (isName ? undefined : found[2]);
  const path = resolve(context.folder, name);
  return { name, path, ...(range !== undefined && { lines: linesIn(range) }) };
}

function linesIn(text: string): Lines {
  const found = /^(\d{1,9})(?:[-,](\d{1,9}))?$/.exec(text);
  const from = Number(found?.[1]);
  const to = Number(found?.[2] ?? found?.[1]);
  if (from >= 1 && to >= from) return { from, to };
  throw new RepriseError("usage", `Not a range of lines: ${safeLine(text)}`, {
    hint: "Write 120, 100-140 or 100,140; lines are counted from 1.",
  });
}

/** Sessions of the file's project, and those begun in a folder above it. */
function sessionsOf(target: Target, all: readonly FoundSession[]): readonly FoundSession[] {
  const wanted = new Set(sessionsOfFolder(all, target.project.path));
  for (const session of all) {
    const { cwd } = session.head;
    if (cwd !== undefined && isWithin(target.path, cwd)) wanted.add(session);
  }
  return [...wanted];
}

function notThere(path: string): RepriseError {
  return new RepriseError("not_found", `There is no file ${safeLine(path)}.`, {
    hint: "No session of its project wrote it either; try --all for other projects.",
  });
}

function partOf({ lines, missing }: Blame, asked: Lines | undefined): Lines {
  if (asked === undefined || missing) return { from: 1, to: lines.length };
  if (asked.from <= lines.length) return asked;
  throw new RepriseError("usage", `There is no line ${asked.from}.`, {
    hint: `The file has ${count(lines.length, "line")}.`,
  });
}
