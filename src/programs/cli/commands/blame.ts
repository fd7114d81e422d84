import { normalize, resolve } from "node:path";
import { exists } from "../../../base/disk.ts";
import { RepriseError } from "../../../base/errors.ts";
import type { Blame } from "../../../catalog/blame/blame.ts";
import { type BlamedFile, blameFile, filesEnding } from "../../../catalog/blame/library.ts";
import { rangesOf } from "../../../catalog/blame/ranges.ts";
import { blameJson, blameShape } from "../render/blame-json.ts";
import { blameText } from "../render/blame-text.ts";
import { count } from "../render/count.ts";
import { commandText } from "../resume/launch.ts";
import type { Command, CommandContext, Invocation } from "../run/command.ts";
import { foundNothing } from "../run/nothing-found.ts";
import { printPaged } from "../terminal/pager.ts";
import { progress } from "../terminal/progress.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** `reprise blame`: which session, event and prompt last wrote each line of a file. */
export const blameCommand: Command = {
  name: "blame",
  summary: "show which session, event and prompt last wrote each line of a file",
  details: `The edits in every agent's tool calls are replayed in order and compared with the file as it is now. exact: the
replay puts this line here. likely, possible: the line is recognised by its text, because it was moved, reformatted, or
written in a way the replay could not follow. unknown: no session wrote the line; it may have been changed by hand or by a
command. If the file is gone, its lines are shown as sessions left them.`,
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
    { line: "reprise blame src/server.ts", says: "show who wrote each line" },
    { line: "reprise blame src/server.ts:120", says: "show who wrote line 120, and the prompt" },
    { line: "reprise blame src/server.ts -L 100-140 --json", says: "the same for a script" },
  ],
  json: blameShape,
  run: async (invocation, context) => {
    const asked = askedFor(invocation, context);
    const { blame: told, ids } = await blamed(asked.path, invocation.flags.isSet("all"), context);
    if (told.missing && told.last === undefined) throw notThere(asked, context);
    const part = partOf(told, asked.lines);
    const ranges = rangesOf(told, part);
    if (told.last === undefined) foundNothing();
    if (context.json) {
      await context.out.writeJson(blameJson(told, ranges));
      return;
    }
    const text = blameText(told, {
      ...context,
      name: asked.name,
      ranges,
      ids,
      isPart: asked.lines !== undefined,
    });
    await printPaged([text], context);
  },
};

/** What is known of a file; of one that is gone, with its project perhaps, the sessions of every project are asked. */
async function blamed(path: string, all: boolean, context: CommandContext): Promise<BlamedFile> {
  const found = await withTold(path, all, context);
  const { missing, last } = found.blame;
  return !all && missing && last === undefined ? withTold(path, true, context) : found;
}

async function withTold(path: string, all: boolean, context: CommandContext): Promise<BlamedFile> {
  // Nothing is printed before all was read, so the terminal is free for it.
  const told = progress(context, { verb: "Reading", toFile: true });
  try {
    return await blameFile(path, { ...context, all, onEvents: told.add });
  } finally {
    told.end();
  }
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

/** How many files elsewhere an error names. */
const namedElsewhere = 3;

function notThere(
  { name, path }: { readonly name: string; readonly path: string },
  context: CommandContext,
): RepriseError {
  const end = normalize(name).replace(/^(?:\.{0,2}\/)+/, "");
  const found = filesEnding(end, context).filter((other) => other !== path);
  const lines = found
    .slice(0, namedElsewhere)
    .map((other) => `\`${commandText({ argv: ["reprise", "blame", other] })}\``);
  const rest = found.length > lines.length ? `, and ${found.length - lines.length} more` : "";
  return new RepriseError("not_found", `There is no file ${safeLine(path)}.`, {
    hint:
      found.length === 0
        ? "No session wrote it either. For a file of another folder's project, give its whole path."
        : `Sessions wrote files of this name elsewhere: ${lines.join(", ")}${rest}.`,
  });
}

function partOf({ lines, missing }: Blame, asked: Lines | undefined): Lines {
  if (asked === undefined || (missing && lines.length === 0)) return { from: 1, to: lines.length };
  if (asked.from <= lines.length) return asked;
  throw new RepriseError("usage", `There is no line ${asked.from}.`, {
    hint: `The file has ${count(lines.length, "line")}.`,
  });
}
