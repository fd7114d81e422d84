import { RepriseError } from "../../../base/errors.ts";

/** The word if it is one of some; throws `usage` with all of them otherwise. */
export function oneOf<Word extends string>(
  flag: string,
  word: string,
  words: readonly Word[],
): Word {
  const found = words.find((one) => one === word);
  if (found !== undefined) return found;
  throw new RepriseError("usage", `--${flag} cannot be ${JSON.stringify(word)}.`, {
    hint: `Use one of: ${words.join(", ")}.`,
  });
}
