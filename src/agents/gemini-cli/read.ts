import { closeSync, openSync } from "node:fs";
import { errnoOf } from "../../base/errors.ts";
import type { ReadBatch, ReadOptions, SessionRef } from "../contract.ts";
import { checkpointForm, isSavedChat, sessionForm } from "./json-forms.ts";
import { readArray } from "./read/json-file.ts";
import { readLines } from "./read/line-file.ts";

/** The events of a session or a saved chat, damage told; a file that cannot be opened is damage too. */
export async function* read(ref: SessionRef, options: ReadOptions = {}): AsyncGenerator<ReadBatch> {
  let fd: number;
  try {
    fd = openSync(ref.path, "r");
  } catch (error) {
    yield missing(error, options);
    return;
  }
  try {
    if (isSavedChat(ref.path)) yield* readArray(fd, { ...options, form: checkpointForm });
    else if (ref.path.endsWith(".json")) yield* readArray(fd, { ...options, form: sessionForm });
    else yield* readLines(fd, options);
  } catch (error) {
    // Only the file system can fail here: the file was taken away or the disk does not answer.
    if (errnoOf(error) === undefined) throw error;
    yield missing(error, options);
  } finally {
    closeSync(fd);
  }
}

function missing(error: unknown, options: ReadOptions): ReadBatch {
  const detail = errnoOf(error) ?? String(error);
  const damage = [{ kind: "missing_file", offset: 0, recovered: 0, detail }] as const;
  return { events: [], damage, cursor: options.from ?? "" };
}
