import type { Answer } from "./answer.ts";

/** Makes vectors of texts; the caller's own, none by default. */
export type Embedder = (texts: readonly string[]) => Promise<readonly ArrayLike<number>[]>;

/** The answers with how near they are to the question as a part of their score, the best first. */
export async function withVectors(
  question: string,
  answers: readonly Answer[],
  { embed, weight }: { readonly embed: Embedder; readonly weight: number },
): Promise<readonly Answer[]> {
  const [asked, ...vectors] = await embed([question, ...answers.map(({ text }) => text)]);
  const best = Math.max(...answers.map(({ score }) => score), Number.MIN_VALUE);
  return answers
    .map((answer, at) => {
      const vector = vectors[at];
      const near = asked === undefined || vector === undefined ? 0 : cosine(asked, vector);
      return { ...answer, score: (1 - weight) * (answer.score / best) + weight * near };
    })
    .sort((a, b) => b.score - a.score);
}

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [dot, ofA, ofB] = [0, 0, 0];
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    dot += a[at]! * b[at]!;
    ofA += a[at]! ** 2;
    ofB += b[at]! ** 2;
  }
  return ofA === 0 || ofB === 0 ? 0 : dot / Math.sqrt(ofA * ofB);
}
