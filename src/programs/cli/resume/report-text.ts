import type { ConvertReport } from "../../../convert/convert.ts";
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

/** A report in words. */
export function reportText(
  { messages, losses, damage, overBudget, size }: ConvertReport,
  { isPlan = false, hasBudget = false }: Telling = {},
): string {
  const [carried, nothing, lost, kept] = isPlan
    ? [
        "would be carried over",
        "nothing would be lost",
        "Would not be carried over as they are:",
        "would be kept",
      ]
    : ["carried over", "nothing lost", "Not carried over as they were:", "was kept"];
  const said = `${count(messages, "message")} ${carried}`;
  return [
    losses.length === 0 ? `${said}, ${nothing}.` : `${said}. ${lost}`,
    ...losses.map((loss) => `  ${lossText(loss)}`),
    ...sizeLines(size, { isPlan, hasBudget }),
    ...(overBudget === undefined
      ? []
      : [
          `The last step ${kept} whole: about ${about(overBudget.tokens)} tokens, over the budget of ${number(overBudget.budgetTokens)}.`,
        ]),
    ...(damage === undefined ? [] : [`The source has ${damage}.`]),
  ].join("\n");
}

function lossText({ field, effect, count: times, reason }: Loss): string {
  if (field === "earlier turns") return `${effect} ${count(times, "earlier message")}: ${reason}`;
  // Compactions are counted; nobody knows how many turns each of them took.
  if (field === "compacted turns") {
    const which = times === 1 ? "" : ` (${count(times, "compaction")})`;
    return `${effect} compacted turns${which}: ${reason}`;
  }
  return `${effect} ${number(times)} × ${field}: ${reason}`;
}

function sizeLines(
  size: ConvertedSize | undefined,
  { isPlan, hasBudget }: Required<Telling>,
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
