import type { ReadBatch, ReadOptions, SessionRef } from "../contract.ts";
import { readParts } from "../row-document.ts";
import { partOf } from "./part.ts";
import { checkpointParts } from "./read/checkpoint-parts.ts";
import { flowParts } from "./read/flow-parts.ts";
import { kickoffParts } from "./read/kickoff-parts.ts";
import { memoryParts } from "./read/memory-parts.ts";
import { unreadNote } from "./vectors.ts";

/** The events of a flow, a run's outputs, a line of checkpoints, or what is remembered. */
export function read(ref: SessionRef, options: ReadOptions = {}): AsyncGenerator<ReadBatch> {
  const { kind, id } = partOf(ref);
  return readParts(ref, options, (onDamage) => {
    switch (kind) {
      case "flow":
        return flowParts(ref.path, id, onDamage);
      case "kickoff":
        return kickoffParts(ref.path, onDamage);
      case "memory":
        return memoryParts(ref.path, onDamage);
      case "checkpoints":
      case "files":
        return checkpointParts(ref, { isFiles: kind === "files", root: id }, onDamage);
      case "vectors":
        return [{ body: { type: "note", content: unreadNote(ref.path) } }];
      default:
        return [];
    }
  });
}
