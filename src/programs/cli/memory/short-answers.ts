import { limits } from "../../../base/limits.ts";
import { understandQuestion } from "../../../catalog/query/request.ts";
import { soughtIn } from "../../../catalog/query/sought.ts";
import { excerptOf } from "../../../memory/recall/excerpt.ts";
import type { Recalled } from "../../../memory/recall/recall.ts";

/** Of each turn the sentences in which most words of the question stand, on one line; a memory is short as it is. */
export function shortAnswers(recalled: Recalled): Recalled {
  const { find } = understandQuestion(recalled.question);
  const answers = recalled.answers.map((answer) => {
    if (answer.kind === "entry") return answer;
    const { text, isCut } = excerptOf(answer.text, { find, chars: limits.shortAnswerChars });
    return { ...answer, text: text.replace(/\s+/g, " "), isCut: isCut || answer.isCut };
  });
  return { ...recalled, answers };
}

/** Which part of the question's words the turn has that has most of them; words in every text do not count. */
export function partAnswered({ question, answers }: Recalled): number {
  const { find, query } = understandQuestion(question);
  const asked = soughtIn(query).flatMap(({ use, weight }, at) =>
    use !== "adds" && weight === 1 ? [at] : [],
  );
  const parts = answers.map(({ kind, text }) => {
    if (kind !== "turn") return 0;
    const had = new Set(find(text).map(([, , which]) => which));
    return asked.filter((which) => had.has(which)).length / Math.max(1, asked.length);
  });
  return Math.max(0, ...parts);
}
