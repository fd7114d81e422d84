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

/** Turns of sessions that follow a memory which answers. */
const turnsAfterMemory = 2;

/** Once a memory answers, only the best turns after it; the others are counted as left out. */
export function withFewTurns(recalled: Recalled): Recalled {
  const first = recalled.answers.findIndex(({ kind }) => kind === "entry");
  if (first < 0) return recalled;
  let turns = 0;
  const answers = recalled.answers.filter(
    ({ kind }, at) => kind === "entry" || at < first || ++turns <= turnsAfterMemory,
  );
  const gone = recalled.answers.length - answers.length;
  return gone === 0 ? recalled : { ...recalled, answers, leftOut: recalled.leftOut + gone };
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
