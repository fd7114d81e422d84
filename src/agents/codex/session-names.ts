import { join } from "node:path";
import { fileStat } from "../../base/folders.ts";
import { asString, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { readRegular } from "../../base/open-file.ts";

interface Names {
  readonly modifiedMs: number;
  readonly sizeBytes: number;
  readonly byThread: ReadonlyMap<string, string>;
}

const remembered = new Map<string, Names>();

/** Reads `session_index.jsonl` of a store again if it changed; called once for a whole listing. */
export function rememberNames(root: string): void {
  const path = join(root, "session_index.jsonl");
  const stat = fileStat(path);
  if (stat === undefined) {
    remembered.set(root, { modifiedMs: 0, sizeBytes: 0, byThread: new Map() });
    return;
  }
  const known = remembered.get(root);
  const { modifiedMs, sizeBytes } = stat;
  if (known?.modifiedMs === modifiedMs && known.sizeBytes === sizeBytes) return;
  remembered.set(root, { modifiedMs, sizeBytes, byThread: readNames(path, sizeBytes) });
}

/** The name a person gave to a thread, as the last listing of the store found it. */
export function nameOf(root: string, thread: string): string | undefined {
  if (!remembered.has(root)) rememberNames(root);
  return remembered.get(root)?.byThread.get(thread);
}

function readNames(path: string, sizeBytes: number): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  if (sizeBytes > limits.foreignLineBytes) return names;
  let text: string;
  try {
    text = readRegular(path).toString("utf8");
  } catch {
    return names;
  }
  for (const line of text.split("\n")) {
    const entry = line === "" ? undefined : parseObject(line);
    const id = asString(entry?.["id"]);
    const name = asString(entry?.["thread_name"]);
    // The last line about a thread wins; an empty name takes the old one back.
    if (id !== undefined && name !== undefined) names.set(id.toLowerCase(), name);
  }
  return names;
}
