import { basename, dirname } from "node:path";
import { smallFile } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
import type { Damage } from "../../model/damage.ts";
import type { ReadBatch, ReadOptions, SessionRef } from "../contract.ts";
import { readDocument } from "../document.ts";
import { type RowPart, readParts } from "../row-document.ts";
import { entriesIn } from "./entries.ts";
import { checkpointFiles } from "./locate.ts";
import { checkpointPart } from "./read/checkpoint-part.ts";
import { hiveParts } from "./read/hive-parts.ts";
import { sessionContent } from "./read/session-content.ts";
import { entryPart, storeContent } from "./read/store-content.ts";
import { tasksContent } from "./read/tasks-content.ts";

/** The events of a memory, a saved session, a project's checkpoints, or a hive mind. */
export function read(ref: SessionRef, options: ReadOptions = {}): AsyncGenerator<ReadBatch> {
  switch (ref.part) {
    case "memory":
      return readParts(ref, options, (onDamage) => memoryParts(ref.path, onDamage));
    case "hive":
      return readParts(ref, options, (onDamage) => hiveParts(ref.path, onDamage));
    case "checkpoints":
      return readParts(ref, options, (onDamage) => checkpointParts(ref.path, onDamage));
    case "store":
      return readDocument(ref, options, storeContent);
    case "tasks":
      return readDocument(ref, options, tasksContent);
    default:
      return readDocument(ref, options, sessionContent);
  }
}

function* memoryParts(path: string, onDamage: (damage: Damage) => void): Generator<RowPart> {
  for (const entry of entriesIn(path, onDamage)) yield entryPart(entry);
}

function* checkpointParts(path: string, onDamage: (damage: Damage) => void): Generator<RowPart> {
  for (const file of checkpointFiles(dirname(path))) {
    const text = smallFile(file, limits.documentBytes);
    if (text === undefined) {
      const detail = `${basename(file)} cannot be read or is too large`;
      onDamage({ kind: "bad_record", offset: 0, recovered: 0, detail });
      continue;
    }
    const part = checkpointPart(file, text, onDamage);
    if (part !== undefined) yield part;
  }
}
