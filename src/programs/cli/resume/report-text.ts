import type { ConvertReport, ConvertRequest } from "../../../convert/convert.ts";
import type { ConvertedSize } from "../../../convert/size.ts";
import type { Loss } from "../../../model/loss.ts";
import { count } from "../render/count.ts";

/** How a report is written. */
export interface Telling {
  /** Nothing was written: it says what would be. */
  readonly isPlan?: boolean;
  /** The user gave a budget, and hears also that it left nothing out. */
  readonly hasBudget?: boolean;
}

/** A report of what was asked for in words. */
export function reportText(
  request: Pick<ConvertRequest, "source" | "target">,
  { messages, losses, damage, overBudget, size }: ConvertReport,
  { isPlan = false, hasBudget = false }: Telling = {},
): string {
  const [carried, nothing, lost, kept] = isPlan
    ? [
        "would be carried over",
        "nothing would be lost",
        "Would be changed or left out:",
        "would be kept",
      ]
    : ["carried over", "nothing lost", "Changed or left out:", "was kept"];
  const said = `${count(messages, "message")} ${carried}`;
  return [
    losses.length === 0 ? `${said}, ${nothing}.` : `${said}. ${lost}`,
    ...losses.map((loss) => `  ${named(lossText(loss), request)}`),
    ...sizeLines(size, { isPlan, hasBudget }),
    ...(overBudget === undefined
      ? []
      : [
          `The last step ${kept} whole: about ${about(overBudget.tokens)} tokens, over the budget of ${number(overBudget.budgetTokens)}.`,
        ]),
    ...(damage === undefined ? [] : [`The source has ${damage}.`]),
  ].join("\n");
}

function lossText(loss: Loss): string {
  const { effect, reason } = loss;
  if (effect === "rewritten") return `${whatOf(loss)} ${reason}`;
  return `${whatOf(loss)} ${effect === "dropped" ? "left out" : effect}: ${reason}`;
}

/** What people call the fields of a loss. */
const nouns: Readonly<Record<string, string>> = {
  thinking: "thinking block",
  opening: "opening turn",
  filler: "automatic answer",
  "injected context": "injected text",
  "foreign block": "block",
  "earlier turns": "earlier message",
  compaction: "summary",
};

function whatOf({ field, count: times }: Loss): string {
  // Compactions are counted; nobody knows how many turns each of them took.
  if (field === "compacted turns")
    return `turns before ${times === 1 ? "the compaction" : count(times, "compaction")}`;
  if (field === "compaction" && times > 1) return `${number(times)} summaries`;
  return count(times, nouns[field] ?? field);
}

/** The agents by their names. */
function named(
  text: string,
  { source, target }: Pick<ConvertRequest, "source" | "target">,
): string {
  return text.replaceAll("the source", source.agent.title).replaceAll("the target", target.title);
}

function sizeLines(
  size: ConvertedSize | undefined,
  { isPlan, hasBudget }: { readonly isPlan: boolean; readonly hasBudget: boolean },
): readonly string[] {
  if (size === undefined) return [];
  const { tokens, summaryTokens, budgetTokens } = size;
  if (summaryTokens !== undefined) {
    const takes = isPlan ? "The copy would take" : "The copy takes";
    const turns = about(tokens - summaryTokens);
    return [
      `${takes} about ${about(tokens)} tokens: ${turns} of newest turns, and ${about(summaryTokens)} of summary, which the budget does not count.`,
    ];
  }
  if (tokens > budgetTokens) return [];
  if (!hasBudget)
    return isPlan
      ? [`The copy would take about ${about(tokens)} tokens; ${number(budgetTokens)} fit.`]
      : [];
  const left = isPlan ? "nothing would be left out" : "nothing was left out";
  return [
    `The session fits the budget of ${number(budgetTokens)} tokens (about ${about(tokens)}): ${left} for it.`,
  ];
}

/** An estimate, without digits that it does not know. */
function about(tokens: number): string {
  return number(Number(tokens.toPrecision(3)));
}

function number(value: number): string {
  return value.toLocaleString("en");
}
