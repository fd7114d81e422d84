import { isRepriseError } from "../../base/errors.ts";
import { asArray, asString, isObject } from "../../base/json.ts";
import { type Item, label, type Reply } from "./answer.ts";

/** What is said of a call that failed: what happened, what to do, and what may have been meant. */
export function failure(error: unknown): Reply {
  if (!isRepriseError(error)) {
    const said = error instanceof Error ? error.message : String(error);
    return { head: [`Something failed inside of reprise: ${label(said, 300)}`], isError: true };
  }
  const hint = error.hint === undefined ? [] : [label(error.hint, 500)];
  const candidates = isObject(error.details) ? asArray(error.details["candidates"]) : [];
  return {
    head: [label(error.message, 500), ...hint],
    items: candidates.flatMap(candidateItem),
    isError: true,
  };
}

function candidateItem(candidate: unknown): readonly Item[] {
  const ref = isObject(candidate) ? asString(candidate["ref"]) : undefined;
  if (ref === undefined || !isObject(candidate)) return [];
  const title = asString(candidate["title"]) ?? "";
  const copyOf = asString(candidate["copyOf"]);
  const copy = copyOf === undefined ? "" : ` (copy of ${label(copyOf)})`;
  return [{ pieces: [`- ${label(ref)}${copy}`, { text: title, from: ref, as: "title" }] }];
}
