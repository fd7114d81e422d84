import type { Answer } from "./answer.ts";

/**
 * Answers in the order they are given, in groups that belong together: a statement stands with the newest one that
 * updates or contradicts it and with the best older one it replaces, the newest first. The best answer leads.
 */
export function inGroups(answers: readonly Answer[]): readonly (readonly Answer[])[] {
  const byRef = new Map(answers.map((answer) => [answer.ref, answer]));
  const placed = new Set<string>();
  const groups: Answer[][] = [];
  for (const answer of answers) {
    if (placed.has(answer.ref)) continue;
    const free = (refs: Answer["newer"]): readonly Answer[] =>
      refs.flatMap(({ ref }) => (placed.has(ref) ? [] : (byRef.get(ref) ?? [])));
    const newest = free(answer.newer).toSorted(newestFirst)[0];
    const before = free(answer.older).toSorted((a, b) => b.score - a.score)[0];
    const group = [newest, answer, before].filter((one) => one !== undefined);
    for (const { ref } of group) placed.add(ref);
    groups.push(group.toSorted(newestFirst));
  }
  return groups;
}

function newestFirst(a: Answer, b: Answer): number {
  return (b.at ?? "") < (a.at ?? "") ? -1 : (b.at ?? "") > (a.at ?? "") ? 1 : 0;
}
