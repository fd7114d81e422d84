import type { ReadBatch, ReadOptions, SessionRef } from "../contract.ts";
import { readFile } from "../session-file.ts";
import { checkpointForm, isSavedChat, sessionForm } from "./json-forms.ts";
import { readJsonFile } from "./read/json-file.ts";
import { readLineFile } from "./read/line-file.ts";

/** The events of a session or a saved chat, damage told. */
export function read(ref: SessionRef, options: ReadOptions = {}): AsyncGenerator<ReadBatch> {
  const { path } = ref;
  return readFile(ref, options, (fd) => {
    if (isSavedChat(path)) return readJsonFile(fd, { ...options, form: checkpointForm });
    if (path.endsWith(".json")) return readJsonFile(fd, { ...options, form: sessionForm });
    return readLineFile(fd, options);
  });
}
