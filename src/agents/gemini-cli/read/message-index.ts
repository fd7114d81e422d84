import { hashText } from "../../../base/hash.ts";
import { KeySlots } from "../../../base/key-slots.ts";
import { type Column, doubleColumn, smallColumn, wideColumn } from "../../../base/number-column.ts";

/** What an entry of the index stands for. */
export const entryKind = { message: 0, header: 1, meta: 2, rewind: 3, unknown: 4 } as const;

/** Where a record lies, and which of its line's events is its first. */
export interface Place {
  readonly offset: number;
  readonly length: number;
  readonly line: number;
  /** Events of the line that come before this record's. */
  readonly firstEvent: number;
  /** It is an element of a rewritten conversation, not a line of its own. */
  readonly rewritten: boolean;
}

const rewrittenFlag = 0x80;
/** On the first version of a message that is not in the conversation, once the index is sealed. */
const deadFlag = 0x20;
const kindMask = 0x1f;
const none = -1;

/**
 * The program's replay without its content: where each version of each message lies, and which are in the
 * conversation now. Some thirty bytes a record, so that gigabytes stay in bounds (P5).
 */
export class MessageIndex {
  #size = 0;
  readonly #offset: Column = doubleColumn();
  readonly #length: Column = wideColumn();
  readonly #line: Column = wideColumn();
  readonly #firstEvent: Column = wideColumn();
  readonly #flags: Column = smallColumn();
  /** The version before, plus one; zero where there is none. */
  readonly #previous: Column = wideColumn();
  /** The place in the conversation; in a sealed index also the newest version of what left it. */
  readonly #position: Column = wideColumn();
  #key: Column = doubleColumn();
  readonly #live: Column = wideColumn();
  #liveSize = 0;
  /** Newest entry by id, plus one. */
  #newest = new KeySlots((held) => this.#key.get(held - 1));

  get size(): number {
    return this.#size;
  }

  get liveSize(): number {
    return this.#liveSize;
  }

  liveAt(position: number): number {
    return this.#live.get(position);
  }

  /** A message as the program records it: at the end, or in place of the live one with its id. */
  message(id: string, place: Place): void {
    const key = hashText(id);
    const older = this.#newest.get(key) - 1;
    const entry = this.#add(place, entryKind.message, key);
    if (older !== none) this.#previous.set(entry, older + 1);
    const position =
      older !== none && this.isLive(older) ? this.#position.get(older) : this.#liveSize;
    this.#newest.set(key, entry + 1);
    this.#live.set(position, entry);
    this.#position.set(entry, position);
    if (position === this.#liveSize) this.#liveSize += 1;
  }

  /** A message salvaged from a rewrite the program cannot read: kept unless its id is known. */
  recovered(id: string, place: Place): boolean {
    const key = hashText(id);
    if (this.#newest.get(key) > 0) return false;
    this.#newest.set(key, this.#add(place, entryKind.message, key) + 1);
    return true;
  }

  /** A record that is not a message. */
  other(kind: number, place: Place): void {
    this.#add(place, kind, 0);
  }

  /** Forgets the conversation; what follows is the new one. */
  clear(): void {
    this.#liveSize = 0;
  }

  /** Deletes a message and all after it; an id that is not live clears everything. */
  rewind(id: string): void {
    const entry = this.#newest.get(hashText(id)) - 1;
    this.#liveSize = entry !== none && this.isLive(entry) ? this.#position.get(entry) : 0;
  }

  isLive(entry: number): boolean {
    const position = this.#position.get(entry);
    return position < this.#liveSize && this.#live.get(position) === entry;
  }

  kindAt(entry: number): number {
    return this.#flags.get(entry) & kindMask;
  }

  placeAt(entry: number): Place {
    return {
      offset: this.#offset.get(entry),
      length: this.#length.get(entry),
      line: this.#line.get(entry),
      firstEvent: this.#firstEvent.get(entry),
      rewritten: (this.#flags.get(entry) & rewrittenFlag) !== 0,
    };
  }

  lineAt(entry: number): number {
    return this.#line.get(entry);
  }

  /**
   * Ends the replay: notes which messages left the conversation and gives the memory back that only further
   * records would need. Nothing may be added after it.
   */
  seal(): void {
    for (const held of this.#newest) {
      if (this.isLive(held - 1)) continue;
      let first = held - 1;
      while (this.#previous.get(first) > 0) first = this.#previous.get(first) - 1;
      this.#position.set(first, held - 1);
      this.#flags.set(first, this.#flags.get(first) | deadFlag);
    }
    this.#key = doubleColumn();
    this.#newest = new KeySlots(() => 0);
  }

  /** In a sealed index: the newest version of a message that left the conversation, asked for its first. */
  deadNewest(first: number): number | undefined {
    return (this.#flags.get(first) & deadFlag) === 0 ? undefined : this.#position.get(first);
  }

  /** All versions of a message up to this one, oldest first. */
  versions(entry: number): number[] {
    const chain: number[] = [];
    for (let at = entry; at !== none; at = this.#previous.get(at) - 1) chain.push(at);
    return chain.reverse();
  }

  #add(place: Place, kind: number, key: number): number {
    const entry = this.#size;
    this.#size += 1;
    this.#offset.set(entry, place.offset);
    this.#length.set(entry, place.length);
    this.#line.set(entry, place.line);
    // Most lines hold one record: then there is nothing to note, and no memory is taken.
    if (place.firstEvent > 0) this.#firstEvent.set(entry, place.firstEvent);
    this.#flags.set(entry, kind | (place.rewritten ? rewrittenFlag : 0));
    this.#key.set(entry, key);
    return entry;
  }
}
