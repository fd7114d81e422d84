import { isObject, type JsonObject, textsIn } from "../../base/json.ts";
import type { PlanFacts } from "../plan.ts";
import { snapshotIn } from "../snapshot.ts";

/** The kind of the journal's entries about files that were brought back. */
export const restoreKind = "restore";

/** The facts of a plan as the journal keeps them. */
export function factsJson({ present, target, paths, within, except }: PlanFacts): JsonObject {
  return {
    folder: present.folder,
    present,
    target,
    ...(paths !== undefined && { paths }),
    ...(within !== undefined && { within: factsJson(within) }),
    ...(except !== undefined && { except }),
  };
}

/** The facts an entry holds; undefined if it holds none. */
export function factsIn(data: JsonObject): PlanFacts | undefined {
  const present = isObject(data["present"]) ? snapshotIn(data["present"]) : undefined;
  const target = isObject(data["target"]) ? snapshotIn(data["target"]) : undefined;
  if (present === undefined || target === undefined) return undefined;
  const within = isObject(data["within"]) ? factsIn(data["within"]) : undefined;
  const paths = textsIn(data["paths"]);
  const except = textsIn(data["except"]);
  return {
    present,
    target,
    ...(data["paths"] !== undefined && { paths }),
    ...(within !== undefined && { within }),
    ...(except.length > 0 && { except }),
  };
}
