import { cutToTokens, type Estimate, estimateTokens } from "./estimate.ts";

/** A part of a written summary: lines in the order they are read, and which to give up first. */
export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
  /** The part of the whole budget it may use; what it does not need is left to the next ones. */
  readonly share: number;
  /** `oldest` gives up lines from the front, `newest` from the back. */
  readonly giveUp: "oldest" | "newest";
  /** What the lines are, as a plural noun, for the line that says how many are left out. */
  readonly noun?: string;
  /** The most lines it may have; those beyond it are given up. */
  readonly most?: number;
  /** How much each line says: those that say less are given up first. */
  readonly weights?: readonly number[];
}

/** How much may be written, and how that is counted. */
export interface WritingBudget {
  readonly budgetTokens: number;
  /** Counts the tokens of a text; the built-in estimate unless given. */
  readonly estimate?: Estimate | undefined;
}

/** Writes sections as Markdown that is never longer than the budget. */
export function writeSections(
  introduction: string,
  {
    sections,
    budgetTokens,
    estimate = estimateTokens,
  }: WritingBudget & { readonly sections: readonly Section[] },
): string {
  const budgetChars = charsFor(budgetTokens, { introduction, sections, estimate });
  let text = introduction;
  let allowed = introduction.length;
  for (const section of sections) {
    allowed += Math.floor((budgetChars - introduction.length) * section.share);
    if (section.lines.length === 0) continue;
    const written = writeSection(section, Math.min(allowed, budgetChars) - text.length);
    if (written !== undefined) text += written;
  }
  return cutToTokens(text, budgetTokens, estimate);
}

/** How many characters of what there is to say the budget is for. */
function charsFor(
  budgetTokens: number,
  said: {
    readonly introduction: string;
    readonly sections: readonly Section[];
    readonly estimate: Estimate;
  },
): number {
  const all = [said.introduction, ...said.sections.flatMap(({ lines }) => lines)].join("\n");
  const charsPerToken = all.length / Math.max(1, said.estimate(all));
  return Math.floor(Math.max(0, Math.floor(budgetTokens)) * charsPerToken);
}

function writeSection(section: Section, room: number): string | undefined {
  const heading = `\n\n## ${section.title}\n`;
  const kept = new Map<number, string>();
  // Room for the line that says how many were given up.
  let left = room - heading.length - 50;
  for (const at of orderOf(section).slice(0, section.most)) {
    const line = section.lines[at]!;
    const fits = line.length + 1 <= left;
    const cut = !fits && left >= 40 && (kept.size === 0 || section.giveUp === "newest");
    if (fits) kept.set(at, line);
    else if (cut) kept.set(at, `${line.slice(0, left - 2).toWellFormed()}…`);
    if (!fits) break;
    left -= line.length + 1;
  }
  if (kept.size === 0) return undefined;
  const told = [...kept].sort(([a], [b]) => a - b).map(([, line]) => line);
  const givenUp = section.lines.length - told.length;
  // A quotation that is cut ends as one: an item of a list would look like something that was said.
  const mark = section.lines[0]?.startsWith(">") === true ? ">" : "-";
  if (givenUp === 0) return `${heading}\n${told.join("\n")}`;
  const lines =
    section.giveUp === "oldest"
      ? [givenUpText(givenUp, section), "", ...told]
      : [...told, `${mark} … and ${givenUp} more${mark === ">" ? " lines" : ""}`];
  return `${heading}\n${lines.join("\n")}`;
}

/** The places of a section's lines, what is given up last first. */
function orderOf({ lines, giveUp, weights = [] }: Section): readonly number[] {
  const places = giveUp === "oldest" ? [...lines.keys()].reverse() : [...lines.keys()];
  return places.sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0));
}

/** A sentence, not an item: it would look like the first of the list. */
function givenUpText(givenUp: number, { noun = "entries", weights }: Section): string {
  const which = weights === undefined ? "earlier" : "other";
  return givenUp === 1
    ? `1 of the ${which} ${noun} is left out.`
    : `${givenUp} ${which} ${noun} are left out.`;
}

/** A text as a quotation of a maximum number of characters. */
export function quoted(text: string, chars: number): readonly string[] {
  const short =
    text.length <= chars
      ? text
      : `${text
          .slice(0, chars - 1)
          .toWellFormed()
          .trimEnd()}…`;
  return short.split(/\r?\n/).map((line) => `> ${line}`.trimEnd());
}
