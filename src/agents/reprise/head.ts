import { existsSync } from "node:fs";
import type { SessionHead } from "../../model/head.ts";
import { readHead } from "../../store/head.ts";
import type { SessionRef } from "../contract.ts";

/** What a native session's first and last bytes tell. */
export function head(ref: SessionRef): SessionHead {
  const read = readHead(ref);
  return read.cwd === undefined ? read : { ...read, cwdExists: existsSync(read.cwd) };
}
