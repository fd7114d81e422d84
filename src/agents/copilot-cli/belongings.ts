import { basename, dirname } from "node:path";
import type { Belongings } from "../belongings-contract.ts";
import type { SessionRef } from "../contract.ts";

/** The folder of a session with all that is in it; in early versions its file. */
export async function belongings({ path }: SessionRef): Promise<Belongings> {
  return basename(path) === "events.jsonl"
    ? { files: [], folders: [dirname(path)] }
    : { files: [path] };
}
