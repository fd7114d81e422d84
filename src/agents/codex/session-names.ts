import { join } from "node:path";
import { uptimeMs } from "../../base/clock.ts";
import { fileStat } from "../../base/folders.ts";
import { asString, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { readRegular } from "../../base/open-file.ts";

interface Names {
  readonly atMs: number;
  readonly modifiedMs: number;
  readonly sizeBytes: number;
  readonly byThread: ReadonlyMap<string, string>;
}

const remembered = new Map<string, Names>();

/** Reads `session_index.jsonl` of a store again if it changed; a listing calls it once, and so does who changed it. */
export function rememberNames(root: string): void {
  const atMs = uptimeMs();
  const path = join(root, "session_index.jsonl");
  const stat = fileStat(path);
  if (stat === undefined) {
    remembered.set(root, { atMs, modifiedMs: 0, sizeBytes: 0, byThread: new Map() });
    return;
  }
  const known = remembered.get(root);
  const { modifiedMs, sizeBytes } = stat;
  const isSame = known?.modifiedMs === modifiedMs && known.sizeBytes === sizeBytes;
  const byThread = isSame ? known.byThread : readNames(path, sizeBytes);
  remembered.set(root, { atMs, modifiedMs, sizeBytes, byThread });
}

/** The name a person gave to a thread, as it was at most a moment ago. */
export function nameOf(root: string, thread: string): string | undefined {
  const known = remembered.get(root);
  if (known === undefined || uptimeMs() - known.atMs > limits.folderMemoryMs) rememberNames(root);
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
