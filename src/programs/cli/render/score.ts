import type { EventScore, SessionScore } from "../../../catalog/query/rank.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** What a session's score is made of, as one line. */
export function sessionScoreText({ total, best, whole, recent }: SessionScore): string {
  const parts = `(best events ${shown(best)} + whole session ${shown(whole)})`;
  return `score ${shown(total)} = ${parts} × recent ${recent.toFixed(3)}`;
}

/** What an event's score is made of, as one line. */
export function eventScoreText(score: EventScore, sought: readonly string[]): string {
  const words = Object.entries(wordsOf(score, sought));
  const parts = [
    ...words.map(([word, points]) => `${safeLine(word)} ${shown(points)}`),
    ...(score.beside > 0 ? [`events beside it ${shown(score.beside)}`] : []),
    `its session ${shown(score.session)}`,
  ];
  return `score ${shown(score.total)} = ${parts.join(" + ")}`;
}

/** The same for programs: the points of each word by its name. */
export function scoreJson(score: EventScore, sought: readonly string[]): object {
  return { ...score, words: wordsOf(score, sought) };
}

function wordsOf(
  { words }: EventScore,
  sought: readonly string[],
): Readonly<Record<string, number>> {
  const named = sought.map((word, at) => [word, words[at] ?? 0] as const);
  return Object.fromEntries(named.filter(([, points]) => points > 0));
}

function shown(points: number): string {
  return points.toFixed(2);
}
