import { holdsText } from "../../../base/holds-text.ts";
import { asString, type JsonObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import type { Line } from "../../../jsonl/line.ts";
import { linesBackward } from "../../../jsonl/read-backward.ts";
import { type RecordLine, readLine } from "../../../jsonl/records.ts";
import { acceptsRecord, isHeader, isSystemMessage, keptKeyOf, keyOf } from "../record-types.ts";
import { bodiesOf, type RecordBodies } from "./bodies.ts";
import { type ContextEdit, editedBodies, editOf } from "./context-edit.ts";
import { isVisible } from "./entry-links.ts";

/** What the start of the file says. */
export interface Header {
  readonly record?: JsonObject | undefined;
  /** Where its line begins. */
  readonly offset: number;
  /** Whether pi takes the file for a session. */
  readonly sound: boolean;
}

/** A record met on the way from the end. */
export interface Met {
  readonly line: RecordLine;
  /** How many lines come after its line. */
  readonly fromEnd: number;
  /** Which record of its line it is, and how many events come before it there. */
  readonly at: number;
  readonly before: number;
  readonly key: string | undefined;
  readonly parent: string | undefined;
  readonly live: boolean;
  readonly said: RecordBodies;
  /** Where the line begins that a compaction keeps first; negative where that is not known. */
  readonly keptAt: number;
}

/** What stands in place of an offset where there is none, and where it was not searched to the end. */
const nowhere = -1;
const farAway = -2;

/** Follows the live path from the leaf towards the root, line by line from the end. */
export class LivePathBackward {
  leaf: Pick<Met, "key" | "fromEnd" | "line"> | undefined;
  ended: boolean;
  #wanted: string | undefined;
  #kept: string | undefined;
  #isCompacted = false;
  /** By key: the edit that was met first, which is the last in the file. */
  readonly #edits = new Map<string, ContextEdit>();
  #searchBytes: number = limits.lineBytes;
  readonly #fd: number;
  readonly #header: Header;

  constructor(fd: number, options: { readonly header: Header }) {
    this.#fd = fd;
    this.#header = options.header;
    this.ended = !options.header.sound;
  }

  /** Whether an edit changes what an entry says. */
  get edited(): boolean {
    return this.#edits.size > 0;
  }

  /** The ids a line must hold to matter; undefined while any may. */
  get wanted(): ReadonlySet<string> | undefined {
    return this.#wanted === undefined ? undefined : new Set([this.#wanted]);
  }

  /** The records of a line from its last to its first. */
  *entries(line: RecordLine, fromEnd: number): Generator<Met> {
    const visible = isVisible(line);
    const said = line.records.map((record) => this.#said(record));
    let before = said.reduce((sum, { bodies }) => sum + bodies.length, 0);
    for (let at = line.records.length - 1; at >= 0; at -= 1) {
      before -= said[at]!.bodies.length;
      yield this.#meet(line, { at, fromEnd, visible, before, said: said[at]! });
    }
  }

  #meet(
    line: RecordLine,
    place: Pick<Met, "at" | "fromEnd" | "before" | "said"> & { readonly visible: boolean },
  ): Met {
    const record = line.records[place.at]!;
    const header = isHeader(record);
    const key = header ? undefined : keyOf(record["id"]);
    const parent = header ? undefined : keyOf(record["parentId"]);
    const onPath =
      place.visible &&
      !header &&
      (this.leaf === undefined || (!this.ended && key === this.#wanted));
    const first = header && line.offset === this.#header.offset;
    const replayed = !(this.#isCompacted && isSystemMessage(record));
    const live = first ? this.#header.sound : onPath && !this.ended && replayed;
    let keptAt = nowhere;
    if (onPath) {
      this.leaf ??= { key, fromEnd: place.fromEnd, line };
      if (key !== undefined && key === this.#kept) this.ended = true;
      this.#wanted = parent;
      this.ended ||= parent === undefined;
    }
    if (live) this.#note(record);
    if (record["type"] === "compaction") {
      const kept = keptKeyOf(record, { linear: false });
      if (onPath && this.#kept === undefined && !this.ended) {
        keptAt = this.#find(kept, { before: line.offset, along: true });
        if (keptAt === nowhere) this.ended = true;
        else this.#kept = kept;
      }
      if (keptAt === nowhere) keptAt = this.#find(kept, { before: line.offset, along: false });
    }
    const { fromEnd, at, before, said } = place;
    return { line, fromEnd, at, before, key, parent, live, said, keptAt };
  }

  /** What an entry says after the edits that were met. */
  #said(record: JsonObject): RecordBodies {
    const message = asString(record["id"]) ?? "";
    const said = bodiesOf(record, { message });
    const edit = this.#edits.get(keyOf(record["id"]) ?? "");
    return edit === undefined ? said : editedBodies(record, said, { edit, message });
  }

  /** Remembers what a replayed entry means for those before it. */
  #note(record: JsonObject): void {
    const edit = editOf(record);
    const { target } = edit ?? {};
    if (edit !== undefined && target !== undefined && !this.#edits.has(target)) {
      this.#edits.set(target, edit);
    }
    this.#isCompacted ||= record["type"] === "compaction";
  }

  /** Where the kept entry's line begins, before a compaction anywhere or along its path. */
  #find(
    kept: string | undefined,
    where: { readonly before: number; readonly along: boolean },
  ): number {
    let wanted = where.along ? this.#wanted : kept;
    if (kept === undefined || wanted === undefined) return nowhere;
    let walkedBytes = 0;
    for (const line of linesBackward(this.#fd, { end: where.before })) {
      // Off the path it is worth a look, not a walk through the whole file for every compaction; on it
      // an entry that lies far away is believed to be there.
      if (!where.along) this.#searchBytes -= line.length;
      if (this.#searchBytes < 0) return nowhere;
      walkedBytes += line.length;
      if (walkedBytes > limits.leafSearchBytes) return farAway;
      if (!mayHold(line, new Set([wanted]))) continue;
      const read = readLine(line, 0, acceptsRecord);
      if (read === undefined || !isVisible(read)) continue;
      const found = read.records.find(
        (record) => !isHeader(record) && keyOf(record["id"]) === wanted,
      );
      if (found === undefined) continue;
      if (wanted === kept) return line.offset;
      wanted = keyOf(found["parentId"]);
      if (wanted === undefined) return nowhere;
    }
    return nowhere;
  }
}

/** Whether a line may hold one of the ids; a test of its bytes, so that most lines are never parsed. */
export function mayHold(line: Line, ids: ReadonlySet<string> | undefined): boolean {
  if (ids === undefined || ids.size > 8) return true;
  for (const id of ids) {
    // Written otherwise than plainly, an id could hide in escapes.
    if (!/^[\w.:-]+$/.test(id) || holdsText(line.bytes, id)) return true;
  }
  return false;
}
