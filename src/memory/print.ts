import { fingerprint } from "../base/fingerprint.ts";
import { stem } from "../catalog/query/stem.ts";
import { wordsOf } from "../catalog/query/words.ts";

/** A hash that is the same for texts that differ in case, order, endings and repetitions alone. */
export function printOf(text: string): string {
  return fingerprint([...new Set(wordsOf(text).map(stem))].sort().join(" "));
}
