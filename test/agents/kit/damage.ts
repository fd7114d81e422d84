import type { Random } from "../../random.mjs";

/** What a file is made of; it decides which damages make sense. */
export type FileKind = "lines" | "json" | "sqlite";

/** Damaged bytes, and which records a reader may lose by it. */
export interface Damaged {
  /** The name of the damage, for messages. */
  readonly name: string;
  readonly bytes: Buffer;
  /** The write-ahead log beside a database, where there is one. */
  readonly wal?: Buffer;
  /**
   * Ordinals of the records that are not whole any more (lines count from 1, blank ones too);
   * undefined where nobody can tell, so that only survival can be asked for.
   */
  readonly touched?: ReadonlySet<number>;
  /** Whether a reader can see that something is wrong: then a loss must be told. */
  readonly visible: boolean;
}

/** Where a record lies in the undamaged file, the newline included. */
export interface Span {
  readonly ordinal: number;
  readonly start: number;
  readonly end: number;
}

type Harm = (original: Buffer, spans: readonly Span[], random: Random) => Damaged;

/** The lines of a file as spans; ordinals are line numbers from 1. */
export function lineSpans(bytes: Buffer): Span[] {
  const spans: Span[] = [];
  let start = 0;
  while (start < bytes.length) {
    const at = bytes.indexOf(0x0a, start);
    const end = at < 0 ? bytes.length : at + 1;
    spans.push({ ordinal: spans.length + 1, start, end });
    start = end;
  }
  return spans;
}

/** The damages of line files, by name. */
export const lineDamages: Readonly<Record<string, Harm>> = {
  "cut at a byte": cut,
  "flipped byte": flip,
  "run of NULs": nulRun,
  "lost newline": (original, spans, random) => {
    // Both records are still whole, only end to end: a reader must find both.
    const span = random.pick(spans.slice(0, -1));
    const bytes = Buffer.concat([original.subarray(0, span.end - 1), original.subarray(span.end)]);
    return { name: `lost newline after line ${span.ordinal}`, bytes, touched: none, visible: true };
  },
  "record torn into the next": (original, spans, random) => {
    const span = random.pick(spans.slice(0, -1));
    const keep = span.start + 1 + random.below(Math.max(1, span.end - span.start - 2));
    const bytes = Buffer.concat([original.subarray(0, keep), original.subarray(span.end)]);
    const touched = new Set([span.ordinal]);
    return { name: `line ${span.ordinal} torn at byte ${keep}`, bytes, touched, visible: true };
  },
  "line twice": (original, spans, random) => {
    const span = random.pick(spans);
    const copy = original.subarray(span.start, span.end);
    const bytes = Buffer.concat([
      original.subarray(0, span.end),
      copy,
      original.subarray(span.end),
    ]);
    return { name: `line ${span.ordinal} twice`, bytes, touched: none, visible: true };
  },
  "two lines in each other's place": (original, spans, random) => {
    const [first, second] = [random.below(spans.length), random.below(spans.length)].sort(
      (a, b) => a - b,
    ) as [number, number];
    const lines = spans.map((span) => original.subarray(span.start, span.end));
    const kept = lines[first]!;
    lines[first] = lines[second]!;
    lines[second] = kept;
    const touched = new Set([first + 1, second + 1]);
    const name = `lines ${first + 1} and ${second + 1} exchanged`;
    return { name, bytes: Buffer.concat(lines), touched, visible: false };
  },
  "garbage line": (original, spans, random) => {
    const span = random.pick(spans);
    const garbage = random.pick(garbageLines)(random);
    const bytes = Buffer.concat([
      original.subarray(0, span.start),
      garbage,
      Buffer.from("\n"),
      original.subarray(span.start),
    ]);
    return { name: `garbage before line ${span.ordinal}`, bytes, touched: none, visible: true };
  },
  "bad UTF-8": (original, spans, random) => {
    const at = random.below(original.length);
    const bad = random.pick([[0xff], [0xc3, 0x28], [0xe2, 0x82], [0xed, 0xa0, 0x80]]);
    const bytes = Buffer.concat([
      original.subarray(0, at),
      Buffer.from(bad),
      original.subarray(at),
    ]);
    const touched = ordinals(spans, at, at + 1);
    return { name: `bad UTF-8 at byte ${at}`, bytes, touched, visible: true };
  },
  "CRLF ends and a BOM": (original, _spans, random) => {
    const text = original.toString("latin1").replaceAll("\n", "\r\n");
    const bom = Buffer.from(random.below(2) === 0 ? [] : [0xef, 0xbb, 0xbf]);
    const bytes = Buffer.concat([bom, Buffer.from(text, "latin1")]);
    return { name: "CRLF ends", bytes, touched: none, visible: true };
  },
};

/** The damages of a file that is one JSON value, by name. */
export const jsonDamages: Readonly<Record<string, Harm>> = {
  "cut at a byte": cut,
  "flipped byte": flip,
  "run of NULs": nulRun,
};

/** One damage of a line file or of a file with one JSON value; `spans` says where its records lie. */
export function damageText(
  original: Buffer,
  options: {
    readonly kind: "lines" | "json";
    readonly spans?: readonly Span[];
    readonly random: Random;
  },
): Damaged {
  const damages = options.kind === "lines" ? lineDamages : jsonDamages;
  const spans = options.spans ?? (options.kind === "lines" ? lineSpans(original) : []);
  // One line has no neighbour to be spliced with; a cut always works.
  const harm = spans.length === 1 ? cut : options.random.pick(Object.values(damages));
  const damaged = harm(original, spans, options.random);
  if (spans.length > 0) return damaged;
  const { touched: _unknowable, ...rest } = damaged;
  return rest;
}

/** One damage of a database file and its write-ahead log; what it costs nobody can tell. */
export function damageDatabase(
  original: Buffer,
  options: { readonly wal?: Buffer; readonly random: Random },
): Damaged {
  const { random, wal } = options;
  const beside = wal === undefined ? {} : { wal };
  const stated = original.length >= 18 ? original.readUInt16BE(16) : 4096;
  const pageBytes = stated === 1 ? 65536 : Math.max(512, stated);
  const pages = Math.max(1, Math.ceil(original.length / pageBytes));
  const page = random.below(pages);
  const bytes = Buffer.from(original);
  const here = bytes.subarray(page * pageBytes, (page + 1) * pageBytes);
  switch (random.below(wal === undefined || wal.length === 0 ? 4 : 6)) {
    case 0:
      here.fill(random.bytes(64));
      return { name: `page ${page + 1} overwritten`, bytes, ...beside, visible: false };
    case 1:
      here.fill(0);
      return { name: `page ${page + 1} zeroed`, bytes, ...beside, visible: false };
    case 2: {
      const at = random.below(bytes.length);
      const kept = bytes.subarray(0, at);
      return { name: `database cut at byte ${at}`, bytes: kept, ...beside, visible: false };
    }
    case 3: {
      const at = random.below(bytes.length);
      bytes[at] = bytes[at]! ^ (1 << random.below(8));
      return { name: `byte ${at} flipped`, bytes, ...beside, visible: false };
    }
    case 4: {
      const at = random.below(wal!.length);
      return { name: `log cut at byte ${at}`, bytes, wal: wal!.subarray(0, at), visible: false };
    }
    default: {
      const at = random.below(wal!.length);
      const harmed = Buffer.from(wal!);
      harmed.subarray(at, at + pageBytes).fill(random.bytes(64));
      return { name: `log overwritten at byte ${at}`, bytes, wal: harmed, visible: false };
    }
  }
}

const none: ReadonlySet<number> = new Set();

const garbageLines: readonly ((random: Random) => Buffer)[] = [
  (random) => Buffer.from(random.bytes(1 + random.below(200)).map((byte) => byte || 1)),
  () => Buffer.from("null"),
  () => Buffer.from("[]"),
  () => Buffer.from('"text"'),
  () => Buffer.from("{}"),
  () => Buffer.from('{"type":'),
  () => Buffer.from("{".repeat(2000)),
  () => Buffer.from("[".repeat(2000)),
  () => Buffer.from('{"__proto__":{"polluted":true},"type":"__proto__","id":"__proto__"}'),
  () => Buffer.from('{"type":{"type":[]},"id":{},"message":7,"payload":null,"timestamp":[]}'),
];

function cut(original: Buffer, spans: readonly Span[], random: Random): Damaged {
  const at = random.below(original.length);
  const touched = ordinals(spans, at, original.length);
  return { name: `cut at byte ${at}`, bytes: original.subarray(0, at), touched, visible: false };
}

function flip(original: Buffer, spans: readonly Span[], random: Random): Damaged {
  const at = random.below(original.length);
  const bytes = Buffer.from(original);
  bytes[at] = bytes[at]! ^ (1 << random.below(8));
  const touched = ordinals(spans, at, at + 1);
  return { name: `byte ${at} flipped`, bytes, touched, visible: false };
}

function nulRun(original: Buffer, spans: readonly Span[], random: Random): Damaged {
  const at = random.below(original.length);
  const end = Math.min(original.length, at + 1 + random.below(random.pick([8, 512, 8192])));
  const bytes = Buffer.from(original);
  bytes.fill(0, at, end);
  const touched = ordinals(spans, at, end);
  return { name: `NULs in bytes ${at}-${end}`, bytes, touched, visible: true };
}

/** The records that overlap a range of bytes. */
function ordinals(spans: readonly Span[], start: number, end: number): ReadonlySet<number> {
  const hit = spans.filter((span) => span.start < end && span.end > start);
  return new Set(hit.map((span) => span.ordinal));
}
