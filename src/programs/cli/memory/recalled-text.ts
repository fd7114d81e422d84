import type { Answer, Counterpart, RecalledTurn } from "../../../memory/recall/answer.ts";
import type { Recalled } from "../../../memory/recall/recall.ts";
import type { CommandContext } from "../run/command.ts";
import { safeLine, safeText } from "../terminal/terminal-text.ts";
import { truncated } from "../terminal/width.ts";

/**
 * Answers for people: each with its reference, its time and what says otherwise; then how to see more. What else is known
 * about the project stands behind a memory that answers, and before what was only said in sessions.
 */
export function recalledText(
  { answers, besides, leftOut }: Pick<Recalled, "answers" | "besides" | "leftOut">,
  context: Pick<CommandContext, "colours"> & {
    /** Whether a number of answers was the limit, not a number of tokens. */
    readonly isLimited: boolean;
  },
): string {
  if (answers.length === 0 && besides.length === 0) return "Nothing was found.\n";
  const blocks = answers.map((answer) => answerText(answer, context));
  const cut = answers.find(({ kind, isCut }) => kind === "turn" && isCut);
  if (cut !== undefined) blocks.push(`Read on with: reprise show ${safeLine(cut.ref)}\n`);
  const more = leftOutText(answers.length, leftOut, context.isLimited);
  const said = blocks.join("\n") + more;
  const isKnown = answers.some(({ kind }) => kind === "entry");
  const others = besidesText(besides, isKnown);
  if (isKnown || said === "" || others === "") return said + others;
  return `${others}\n${said}`;
}

/** Who wants more than the first answers wants so many, and then three times as many. */
const nextLimit = 20;

/** How answers are seen that are not shown. */
function leftOutText(shown: number, leftOut: number, isLimited: boolean): string {
  if (leftOut === 0) return "";
  if (!isLimited) return "\nMore: --tokens with a higher number\n";
  return `\nMore: --limit ${Math.min(shown + leftOut, Math.max(nextLimit, shown * 3))}\n`;
}

function besidesText(besides: Recalled["besides"], isAfterAnswers: boolean): string {
  if (besides.length === 0) return "";
  const title = isAfterAnswers
    ? "\nAlso remembered for this project:\n"
    : "No memory has these words. Remembered for this project:\n";
  return title + besides.map((entry) => `  ${besideLine(entry)}\n`).join("");
}

/** Sentences that were remembered have a key of the same words. */
function besideLine(entry: Entry): string {
  const said = isQuotation(entry) ? `"${entry.text}"` : entry.text;
  return safeLine(entry.key === entry.text ? said : `${entry.key}: ${said}`);
}

function answerText(answer: Answer, { colours }: Pick<CommandContext, "colours">): string {
  const lines = [`${colours.cyan(safeLine(nameOf(answer)))}  ${colours.dim(aboutOf(answer))}`];
  if (answer.kind === "entry" && answer.isStale)
    lines.push(colours.yellow("  stale: its evidence changed; check it before you rely on it"));
  for (const one of answer.newer.slice(0, 1)) lines.push(colours.yellow(`  ${markOf(one)}`));
  const said = safeText(answer.text.trim()).replace(/\n{2,}/g, "\n");
  const quoted = answer.kind === "entry" && isQuotation(answer) ? `"${said}"` : said;
  if (answer.kind === "entry" && answer.before !== undefined) {
    const { at, text } = answer.before;
    lines.push(colours.dim(`  before ${at.slice(0, 10)}: ${safeLine(text)}`));
  }
  lines.push(...quoted.split("\n").map((line) => `  ${line}`));
  return `${lines.join("\n")}\n`;
}

function markOf({ ref, at, why }: Counterpart): string {
  const when = at === undefined ? "" : ` of ${at.slice(0, 10)}`;
  const what = why === "update" ? "older: replaced by" : "older: contradicted by";
  return `${what} ${safeLine(ref)}${when}`;
}

function nameOf(answer: Answer): string {
  if (answer.kind === "turn") return answer.ref;
  if (answer.origins !== undefined) return answer.ref;
  return isToldIn(answer.key, answer.text) ? "memory" : `memory ${answer.key}`;
}

/** Whether a title only repeats a text: what was remembered as a sentence has it as its key, a session its first prompt as its title. */
function isToldIn(title: string, text: string): boolean {
  const words = (said: string): string => said.replace(/^…|…$/g, "").replace(/\s+/g, " ").trim();
  return words(text).startsWith(words(title)) || words(title).startsWith(words(text));
}

/** What a tool put out or somebody else wrote down stays a quotation. */
function isQuotation({ provenance }: { readonly provenance: string }): boolean {
  return provenance === "tool" || provenance === "imported";
}

function aboutOf(answer: Answer): string {
  const when = answer.at?.slice(0, 16).replace("T", " ") ?? "";
  const parts =
    answer.kind === "turn"
      ? [answer.role, when, titleOf(answer)]
      : (keepers(answer) ?? [`from ${answer.provenance}`, when, answer.type, ...proofs(answer)]);
  return parts
    .filter((part) => part !== "")
    .map(safeLine)
    .join(" · ");
}

/** Enough of a session's title to know it by. */
const titleColumns = 48;

function titleOf({ title = "", text }: RecalledTurn): string {
  return isToldIn(title, text) ? "" : truncated(title, titleColumns);
}

type Entry = Extract<Answer, { readonly kind: "entry" }>;

/** The agents that keep a note themselves, and what they call it; undefined for a memory of ours. */
function keepers({ origins, key, owner }: Entry): readonly string[] | undefined {
  if (origins === undefined) return undefined;
  const agents = new Set(origins.map(({ agent }) => agent));
  return [`kept by ${[...agents].join(", ")}`, key === owner ? "" : key];
}

function proofs({ evidence }: Entry): readonly string[] {
  return evidence.map(evidenceText);
}

function evidenceText(one: Entry["evidence"][number]): string {
  if (one.kind === "event") return one.ref;
  return one.kind === "file" ? one.path : one.commit.slice(0, 12);
}
