import type { Tally } from "../../../agents/reading.ts";
import { damageCount } from "../../../model/damage.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** What a reader should know about the reading: damage, and records of kinds nobody knows. */
export function tallySentences(tally: Tally): readonly string[] {
  const sentences: string[] = [];
  if (tally.damaged > 0) sentences.push(damageCount(tally.damaged, tally.recovered));
  if (tally.continued) {
    sentences.push("It continues another session's file, or its beginning was cut off");
  }
  if (tally.unknown.size > 0) {
    const kinds = [...tally.unknown].map(([type, count]) => `${safeLine(type)} ${count}`);
    const total = [...tally.unknown.values()].reduce((sum, count) => sum + count, 0);
    const records = total === 1 ? "1 record" : `${total} records`;
    sentences.push(`${records} of unknown type kept (${kinds.slice(0, 5).join(", ")})`);
  }
  return sentences;
}
