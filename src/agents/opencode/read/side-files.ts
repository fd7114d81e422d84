import { statSync } from "node:fs";
import { join } from "node:path";
import { sessionIdProblem } from "../../../base/ids.ts";
import { asArray, asNumber, asString, isObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import { readRegular } from "../../../base/open-file.ts";
import type { FileEvent } from "../../../model/event.ts";

const spillName = /(?:^|[\\/])(tool_[A-Za-z0-9]{1,64})$/;

/** The full output of a tool whose result was cut: a file of the store, found by its name alone. */
export interface SpillFile {
  readonly path: string;
  /** Absent where the program has removed the file; it keeps them for seven days. */
  readonly sizeBytes?: number;
}

/** Where the file a result names lies in this store; the stated folder is never followed. */
export function spillFile(root: string | undefined, stated: unknown): SpillFile | undefined {
  const name = spillName.exec(asString(stated) ?? "")?.[1];
  if (root === undefined || name === undefined) return undefined;
  const path = join(root, "tool-output", name);
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() ? { path, sizeBytes: stat.size } : { path };
}

/** What the session changed in total, from the store's `session_diff` file. */
export function sessionDiff(root: string | undefined, session: string): readonly FileEvent[] {
  if (root === undefined || sessionIdProblem(session) !== undefined) return [];
  const entries = asArray(readJson(join(root, "storage", "session_diff", `${session}.json`)));
  return entries.flatMap((entry) => {
    const path = isObject(entry) ? asString(entry["file"]) : undefined;
    if (!isObject(entry) || path === undefined) return [];
    const data = {
      additions: asNumber(entry["additions"]) ?? 0,
      deletions: asNumber(entry["deletions"]) ?? 0,
    };
    return [{ type: "file", path, action: actionOf(entry["status"]), data }];
  });
}

function actionOf(status: unknown): FileEvent["action"] {
  if (status === "added") return "created";
  return status === "deleted" ? "deleted" : "modified";
}

/** The value of a small JSON file beside the sessions; undefined if it is missing or not whole. */
export function readJson(path: string | undefined): unknown {
  if (path === undefined) return undefined;
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined || !stat.isFile() || stat.size > limits.foreignLineBytes) {
      return undefined;
    }
    return JSON.parse(readRegular(path).toString("utf8"));
  } catch {
    return undefined;
  }
}
