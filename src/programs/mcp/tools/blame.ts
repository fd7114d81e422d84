import { resolve } from "node:path";
import { z } from "zod";
import { RepriseError } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { isWithin } from "../../../base/within.ts";
import type { Edit } from "../../../catalog/blame/edit.ts";
import { blameFile } from "../../../catalog/blame/library.ts";
import { targetAt } from "../../../catalog/blame/places.ts";
import { type BlamedRange, rangesOf } from "../../../catalog/blame/ranges.ts";
import { realPathOf } from "../../../store/project.ts";
import { count } from "../../cli/render/count.ts";
import { type Item, label, type Piece } from "../answer.ts";
import { maxTokens, words } from "../fields.ts";
import { searchOn } from "../sessions.ts";
import { type McpCall, tool } from "../tool.ts";

/** `blame`: which session, event and prompt last wrote each line of a file. */
export const blame = tool({
  name: "blame",
  title: "Who wrote this",
  description:
    "Reports which session, event and prompt last wrote the lines of a file of this project, and how sure that is.",
  input: z.object({
    file: words("The file, from the project's folder", limits.pathChars),
    from_line: z.number().int().min(1).describe("The first line").optional(),
    to_line: z.number().int().min(1).describe("The last line").optional(),
    max_tokens: maxTokens,
  }),
  changes: "nothing",
  run: async ({ file, from_line: from = 1, to_line: to }, call) => {
    const path = inProject(file, call);
    const { blame: told } = await blameFile(path, { ...(await searchOn(call)), all: false });
    if (told.missing && told.last === undefined)
      throw new RepriseError("not_found", "There is no such file, and no session wrote it.");
    const ranges = rangesOf(told, { from, to: to ?? told.lines.length });
    const last = told.last === undefined ? [] : [`Last written by ${written(told.last)}.`];
    return {
      head: [
        `${count(told.lines.length, "line")}${told.missing ? "; the file is not there now" : ""}.`,
        ...last,
      ],
      items: ranges.map(rangeItem),
      tail: ({ shown }) =>
        shown < ranges.length
          ? `More from line ${ranges[shown]?.from}: ask with from_line.`
          : undefined,
    };
  },
});

/** The path of a file, which must lie in the project, also once links are followed. */
function inProject(file: string, { env }: McpCall): string {
  const path = resolve(env.cwd, file);
  const root = realPathOf(env.cwd);
  if (!file.includes("\0") && isWithin(targetAt(path).path, root)) return path;
  throw new RepriseError("bad_input", "This file is not in the project.", {
    hint: "Name a file of the project, from its folder.",
  });
}

function rangeItem({ from, to, writer, commit }: BlamedRange): Item {
  const lines = from === to ? `line ${from}` : `lines ${from}-${to}`;
  if (writer === undefined) {
    const by =
      commit === undefined ? "unknown" : `no session; commit ${label(commit.hash).slice(0, 12)}`;
    return { pieces: [`- ${lines}: ${by}`] };
  }
  const prompt = writer.by.act.prompt;
  const quoted: readonly Piece[] =
    prompt === undefined ? [] : [{ text: prompt, from: refOf(writer.by), as: "prompt" }];
  return { pieces: [`- ${lines}: ${writer.confidence}, ${written(writer.by)}`, ...quoted] };
}

function written(edit: Edit): string {
  return `${label(refOf(edit))} · ${new Date(edit.atMs).toISOString().slice(0, 16)} · ${edit.act.action}`;
}

function refOf({ act, origin }: Edit): string {
  return `${origin.agent}:${origin.session}@${act.event}`;
}
