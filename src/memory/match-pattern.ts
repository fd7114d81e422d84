import { Script } from "node:vm";
import { RepriseError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";

/** Constant code: the pattern and the keys are data to it. Only a script can be stopped in the middle of a match. */
const matching = new Script("keys.filter((key) => pattern.test(key))");

/** Those of some keys that a regular expression matches. Throws `bad_input` if it is none, or takes too long. */
export function keysMatching(source: string, keys: readonly string[]): ReadonlySet<string> {
  const pattern = patternOf(source);
  try {
    const found: unknown = matching.runInNewContext(
      { keys, pattern },
      { timeout: limits.memoryPatternMs },
    );
    return new Set(found as readonly string[]);
  } catch (cause) {
    throw new RepriseError(
      "bad_input",
      `${JSON.stringify(source)} takes longer than ${limits.memoryPatternMs} ms to match.`,
      {
        cause,
        hint: "A repetition within a repetition, such as (a+)+, can take for ever: use a simpler pattern.",
      },
    );
  }
}

function patternOf(source: string): RegExp {
  try {
    return new RegExp(source, "u");
  } catch (cause) {
    throw new RepriseError("bad_input", `${JSON.stringify(source)} is not a regular expression.`, {
      cause,
    });
  }
}
