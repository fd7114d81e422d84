import type { JsonObject } from "../../base/json.ts";
import { isObject } from "../../base/json.ts";
import { type DiffLine, lineDiff } from "../cli/render/edit-diff.ts";
import { toolSubject } from "../cli/render/tool-header.ts";
import type { Colours } from "../cli/terminal/colours.ts";
import { safeLine, safeText } from "../cli/terminal/terminal-text.ts";
import { edited } from "./tools/edit.ts";
import { fileNamed, textOfFile } from "./tools/text-file.ts";

const aroundLines = 3;
const mostLines = 120;

/** What a call is about to do, in lines for a person who decides: the command whole, a file with its changes. */
export function previewLines(
  name: string,
  input: unknown,
  { cwd, colours }: { readonly cwd: string; readonly colours: Colours },
): readonly string[] {
  const given = isObject(input) ? input : {};
  const head = (subject: string): string =>
    `${colours.yellow(`⏺ ${safeLine(name)}`)} ${safeLine(subject)}`.trimEnd();
  if (name === "bash" && typeof given["command"] === "string") {
    const lines = safeText(given["command"]).split("\n");
    if (lines.length === 1) return [head(lines[0]!)];
    return [head(""), ...lines.map((line) => `    ${line}`)];
  }
  const diff = changesOf(name, given, cwd);
  const subject = diff === undefined ? toolSubject(input) : String(given["path"]);
  return [head(subject), ...shownDiff(diff ?? []).map((line) => painted(line, colours))];
}

function changesOf(name: string, input: JsonObject, cwd: string): readonly DiffLine[] | undefined {
  try {
    if (name === "edit") {
      const { before, after } = edited(input, cwd);
      return lineDiff(before, after);
    }
    if (name !== "write" || typeof input["content"] !== "string") return undefined;
    return lineDiff(textOfFile(fileNamed(input["path"], cwd)) ?? "", input["content"]);
  } catch {
    // It cannot be done, and running it will say why.
    return undefined;
  }
}

/** The lines that change, with some around them. */
function shownDiff(lines: readonly DiffLine[]): readonly DiffLine[] {
  const isNear = lines.map((_, at) =>
    lines
      .slice(Math.max(0, at - aroundLines), at + aroundLines + 1)
      .some(({ kind }) => kind !== "same"),
  );
  const shown: DiffLine[] = [];
  for (const [at, line] of lines.entries()) {
    if (isNear[at]) shown.push(line);
    else if (at > 0 && isNear[at - 1]) shown.push({ kind: "place", text: "…" });
  }
  if (shown.length <= mostLines) return shown;
  const rest = shown.length - mostLines;
  return [...shown.slice(0, mostLines), { kind: "place", text: `… ${rest} more lines` }];
}

function painted({ kind, text }: DiffLine, colours: Colours): string {
  const safe = safeLine(text.replaceAll("\t", "    "));
  switch (kind) {
    case "added":
      return `    ${colours.green(`+ ${safe}`)}`;
    case "removed":
      return `    ${colours.red(`- ${safe}`)}`;
    case "same":
      return `      ${safe}`;
    case "place":
      return `    ${colours.cyan(safe)}`;
  }
}
