import { asArray, isObject } from "../base/json.ts";
import type { ToolUseEvent } from "../model/event.ts";

const changes =
  /(?:^|[\n;&|(]\s*)git (?:checkout (?:-q )?(?:-[bB] (?<made>[\w./-]+)|(?<checkedOut>[\w./-]+)(?=\s*(?:$|[\n;&|)])))|switch (?:-\S+ )*(?<switched>[\w./-]+))/g;

/** The branch a call goes to by Git; a name that may also be a file counts only if it is known as a branch. */
export function branchAfter(
  { input }: ToolUseEvent,
  known: ReadonlySet<string>,
): string | undefined {
  const given = isObject(input) ? (input["command"] ?? input["cmd"] ?? input["script"]) : input;
  const words = asArray(given).filter((word) => typeof word === "string");
  const texts = typeof given === "string" ? [given] : [...words, words.join(" ")];
  let branch: string | undefined;
  for (const text of texts) {
    for (const { groups = {} } of text.matchAll(changes)) {
      const { made, checkedOut, switched } = groups;
      const named = made ?? switched ?? (checkedOut && known.has(checkedOut) ? checkedOut : "");
      if (named !== "" && !named.startsWith("-")) branch = named;
    }
  }
  return branch;
}
