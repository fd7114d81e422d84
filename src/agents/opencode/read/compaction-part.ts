import { asString } from "../../../base/json.ts";
import type { Source } from "./source.ts";

/** What the part that began a compaction says. */
export interface CompactionPart {
  /** The id of the first message that is kept. */
  readonly tail: string | undefined;
  readonly isAuto: boolean;
}

const known = new WeakMap<Source, Map<number, CompactionPart | undefined>>();

/** The part by which a message began a compaction. Any number of summaries may name one message: it is read once. */
export function compactionPart(source: Source, message: number): CompactionPart | undefined {
  const ofSource = known.get(source) ?? new Map<number, CompactionPart | undefined>();
  known.set(source, ofSource);
  if (!ofSource.has(message)) ofSource.set(message, readPart(source, message));
  return ofSource.get(message);
}

function readPart(source: Source, message: number): CompactionPart | undefined {
  const part = source.parts(message).find((each) => each["type"] === "compaction");
  if (part === undefined) return undefined;
  return { tail: asString(part["tail_start_id"]), isAuto: part["auto"] === true };
}
