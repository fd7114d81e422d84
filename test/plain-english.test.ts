import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";
import { commands } from "../src/programs/cli/run/commands.ts";

/* What people read is written in the common words of the field. */

const root = resolve(import.meta.dirname, "..");

/** Words that make a text strange, and what to write instead. */
const strange: readonly (readonly [RegExp, string])[] = [
  [/\b(?:is|are|was|were|be|been) told\b|\btold of\b|\btells\b/i, "report, say"],
  [/\bwhoever\b/i, "anyone who, the process that"],
  [/\bgo(?:es)? on (?:with|in)\b|\bwent on with\b/i, "continue"],
  [/\bat most so many\b|\bso many at most\b/i, "maximum"],
  [/(?<!there )\bis no (?!longer\b|more\b|such\b)[a-z]+\b/i, "is not a"],
  [/\blets? (?:it|them|old sessions[^.]*) go\b/i, "delete"],
  [/\bleft undone\b/i, "pending"],
  [/\bby which rule\b/i, "no rule given"],
  [/\bas it was meant\b/i, "correctly"],
  [/\bgiven? (?:it |a session )?away\b/i, "share"],
  [/\bcame of it\b/i, "the outcome"],
  [/\bof another hand\b/i, "that somebody else wrote"],
];

/** Phrases that the comments of the library may still have, which make the pages of the API. */
const strangeInProse: readonly (readonly [RegExp, string])[] = [
  ...strange,
  [/\bwhere (?:none|no|nothing|nobody|anything|something|several|there (?:is|are|was))\b/i, "if"],
  [/(?<!\bnot )\bso many\b/i, "this many"],
  [/\bgo(?:es)? on\b|\bgoing on\b|\b(?:went|gone) on\b/i, "continue"],
  [/\banew\b/i, "again"],
  [/\b(?:is|are) meant\b/i, "is used, names"],
  [/\bat hand\b/i, "available, current"],
  [/\bshall\b/i, "will, must"],
  [/^(?:Which|By which)\b[^.]*\?$/, "an error says what happened: no task was named"],
  [/^[Aa]lso (?:what|of|the)\b/, "include"],
];

function filesIn(folder: string, shape: RegExp): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && shape.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

/** Every text literal of a source file; comments are not among them. */
function literalsOf(file: string): readonly string[] {
  const { program } = parseSync(file, readFileSync(join(root, file), "utf8"));
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    if (Array.isArray(node)) {
      for (const item of node) visit(item);
      return;
    }
    const { type, value } = node as { readonly type?: string; readonly value?: unknown };
    if (type === "Literal" && typeof value === "string") found.push(value);
    if (type === "TemplateElement") found.push((value as { readonly cooked: string }).cooked);
    for (const inner of Object.values(node)) visit(inner);
  };
  visit(program);
  return found.filter((text) => /[a-z] [a-z]/i.test(text));
}

function strangeIn(texts: readonly string[], list = strangeInProse): readonly string[] {
  return texts.flatMap((text) =>
    list.flatMap(([words, instead]) => {
      const found = words.exec(text);
      if (found === null) return [];
      const around = text.slice(Math.max(0, found.index - 40), found.index + 60);
      return [`${around.replaceAll("\n", " ")} (write: ${instead})`];
    }),
  );
}

test("help, errors and everything else a command prints use common words", () => {
  const files = filesIn("src", /\.ts$/);
  expect(files.length).toBeGreaterThan(500);
  const wrong = files.flatMap((file) =>
    strangeIn(literalsOf(file)).map((text) => `${file}: ${text}`),
  );
  expect(wrong).toEqual([]);
});

test("README and docs use common words", () => {
  const pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "AGENTS.md", "CHANGELOG.md"];
  const files = [...pages, ...filesIn("docs", /\.md$/)];
  const wrong = files.flatMap((file) =>
    strangeIn(
      readFileSync(join(root, file), "utf8").split("\n\n"),
      file.startsWith(join("docs", "api")) ? strange : strangeInProse,
    ).map((text) => `${file}: ${text}`),
  );
  expect(wrong).toEqual([]);
});

/** The verbs that lines of help begin with. */
const verbs = new Set(
  `add answer append ask begin bring check choose compare complete continue copy delete export find fork give go import
  install list make open print redo rename report restore resume rewind search serve show store summarise tag take talk
  undo update write reconcile`.split(/\s+/),
);

test("the summary of every command begins with a verb", () => {
  const wrong = commands.filter(({ summary }) => !verbs.has(/^[a-z]+/.exec(summary)?.[0] ?? ""));
  expect(wrong.map(({ name, summary }) => `${name}: ${summary}`)).toEqual([]);
});
