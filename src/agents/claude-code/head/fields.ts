import { stringAfter } from "../../../jsonl/text-window.ts";

/**
 * The keys heads look for, as they stand before their string. A quote inside a string is escaped, so
 * these match keys only; without the first quote, which is everywhere, they are found faster.
 */
const tokens = {
  cwd: 'cwd":"',
  gitBranch: 'gitBranch":"',
  version: 'version":"',
  timestamp: 'timestamp":"',
  model: 'model":"',
  modelId: 'modelId":"',
} as const;

type Key = keyof typeof tokens;

/** The first string a key has in a text. */
export function field(text: string, key: Key): string | undefined {
  return stringAfter(text, tokens[key]);
}

/** The same for a key that mostly stands near the end of a long text. */
export function lateField(text: string, key: Key): string | undefined {
  return field(text.slice(-400), key) ?? field(text, key);
}
