/** The kinds of tokens that are reported apart; reasoning is a part of the output. */
export const tokenKinds = [
  "input",
  "output",
  "cacheRead",
  "cacheWrite",
  "cacheWriteHour",
  "reasoning",
] as const;

/** One kind of tokens. `cacheWrite` is kept for minutes, `cacheWriteHour` for an hour and costs more. */
export type TokenKind = (typeof tokenKinds)[number];

/** Tokens of one model message, by kind. */
export type Tokens = Readonly<Record<TokenKind, number>>;

/** What one model message took. */
export interface UsageRow {
  /** What says copies of one message; 0 where nothing does. */
  readonly key: number;
  /** Epoch milliseconds; NaN where the record has no time. */
  readonly atMs: number;
  readonly model: string;
  readonly tokens: Tokens;
  /** US dollars the program itself recorded; NaN where it did not. */
  readonly costUsd: number;
  /** Written by a subagent or as a side branch. */
  readonly side: boolean;
}

const kinds = tokenKinds.length;
const rowBytes = 3 * 8 + kinds * 4 + 2 + 1;

/** A row of a subagent. */
export const sideFlag = 1;
/** A row that another one already says. */
export const copyFlag = 2;
/** A row that was brought in from another session, which may be on this machine too. */
export const importedFlag = 4;

/** Columns of many rows: small enough to keep for every message of a machine, quick to go through. */
export class UsageTable {
  length = 0;
  readonly models: string[] = [];
  keys: Float64Array = new Float64Array(0);
  times: Float64Array = new Float64Array(0);
  costs: Float64Array = new Float64Array(0);
  tokens: Uint32Array = new Uint32Array(0);
  modelOf: Uint16Array = new Uint16Array(0);
  flags: Uint8Array = new Uint8Array(0);
  readonly #modelIndex = new Map<string, number>();

  /** Adds one row at the end. */
  add(row: UsageRow): void {
    this.#reserve(1);
    const at = this.length;
    this.keys[at] = row.key;
    this.times[at] = row.atMs;
    this.costs[at] = row.costUsd;
    // In the order of `tokenKinds`; written out, because this runs for every message of a machine.
    const { tokens } = row;
    const first = at * kinds;
    this.tokens[first] = tokens.input;
    this.tokens[first + 1] = tokens.output;
    this.tokens[first + 2] = tokens.cacheRead;
    this.tokens[first + 3] = tokens.cacheWrite;
    this.tokens[first + 4] = tokens.cacheWriteHour;
    this.tokens[first + 5] = tokens.reasoning;
    this.modelOf[at] = this.modelIndex(row.model);
    this.flags[at] = row.side ? sideFlag : 0;
    this.length += 1;
  }

  /** Adds rows of another table at the end, as they are. */
  append(other: UsageTable, from: number, count: number): void {
    this.#reserve(count);
    const at = this.length;
    const to = from + count;
    this.keys.set(other.keys.subarray(from, to), at);
    this.times.set(other.times.subarray(from, to), at);
    this.costs.set(other.costs.subarray(from, to), at);
    this.tokens.set(other.tokens.subarray(from * kinds, to * kinds), at * kinds);
    this.flags.set(other.flags.subarray(from, to), at);
    this.modelOf.set(other.modelOf.subarray(from, to), at);
    const models = other.models.map((model) => this.modelIndex(model));
    // Tables of one machine mostly met the models in the same order.
    if (!models.every((model, index) => model === index)) {
      for (let row = at; row < at + count; row += 1) {
        this.modelOf[row] = models[this.modelOf[row]!]!;
      }
    }
    this.length += count;
  }

  /** Forgets the last rows. */
  drop(count: number): void {
    this.length = Math.max(0, this.length - count);
  }

  /** The number a model has in this table. */
  modelIndex(model: string): number {
    let index = this.#modelIndex.get(model);
    if (index === undefined) {
      // Names come from transcripts: a flood of them shares the last number.
      index = Math.min(this.models.length, 0xffff);
      if (index === this.models.length) this.models.push(model);
      this.#modelIndex.set(model, index);
    }
    return index;
  }

  /** Tokens of one kind in one row. */
  count(row: number, kind: number): number {
    return this.tokens[row * kinds + kind]!;
  }

  /** All tokens of a row; reasoning is within the output. */
  total(row: number): number {
    const at = row * kinds;
    const { tokens } = this;
    return tokens[at]! + tokens[at + 1]! + tokens[at + 2]! + tokens[at + 3]! + tokens[at + 4]!;
  }

  /** The columns as bytes; `fromBytes` reads them. */
  toBytes(): Uint8Array {
    const bytes = new Uint8Array(this.length * rowBytes);
    let at = 0;
    for (const column of this.#columns(this.length)) {
      bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at);
      at += column.byteLength;
    }
    return bytes;
  }

  /** The table of `toBytes`; undefined if the bytes are not so many rows. */
  static fromBytes(bytes: Uint8Array, models: readonly string[]): UsageTable | undefined {
    if (bytes.length % rowBytes !== 0) return undefined;
    const table = new UsageTable();
    for (const model of models) table.modelIndex(model);
    const length = bytes.length / rowBytes;
    // Columns of eight bytes need an aligned start.
    const aligned = bytes.byteOffset % 8 === 0 ? bytes : Uint8Array.from(bytes);
    const { buffer, byteOffset: from } = aligned;
    table.keys = new Float64Array(buffer, from, length);
    table.times = new Float64Array(buffer, from + length * 8, length);
    table.costs = new Float64Array(buffer, from + length * 16, length);
    table.tokens = new Uint32Array(buffer, from + length * 24, length * kinds);
    table.modelOf = new Uint16Array(buffer, from + length * (24 + kinds * 4), length);
    table.flags = new Uint8Array(buffer, from + length * (26 + kinds * 4), length);
    table.length = length;
    return table.modelOf.every((model) => model < table.models.length) ? table : undefined;
  }

  #columns(length: number): readonly (Float64Array | Uint32Array | Uint16Array | Uint8Array)[] {
    return [
      this.keys.subarray(0, length),
      this.times.subarray(0, length),
      this.costs.subarray(0, length),
      this.tokens.subarray(0, length * kinds),
      this.modelOf.subarray(0, length),
      this.flags.subarray(0, length),
    ];
  }

  #reserve(more: number): void {
    const wanted = this.length + more;
    if (wanted <= this.flags.length) return;
    const room = Math.max(256, wanted, this.flags.length * 2);
    const { length } = this;
    this.keys = grown(new Float64Array(room), this.keys, length);
    this.times = grown(new Float64Array(room), this.times, length);
    this.costs = grown(new Float64Array(room), this.costs, length);
    this.tokens = grown(new Uint32Array(room * kinds), this.tokens, length * kinds);
    this.modelOf = grown(new Uint16Array(room), this.modelOf, length);
    this.flags = grown(new Uint8Array(room), this.flags, length);
  }
}

interface Column<T> {
  set(values: T, at?: number): void;
  subarray(from: number, to: number): T;
}

function grown<T extends Column<T>>(into: T, from: T, length: number): T {
  into.set(from.subarray(0, length));
  return into;
}
