import { limits } from "../../base/limits.ts";

/** The lines two texts share, in order: for each line of the second its line in the first, or -1. */
export function matchLines(first: readonly string[], second: readonly string[]): Int32Array {
  const numbers = new Map<string, number>();
  const numbered = (lines: readonly string[]): Int32Array =>
    Int32Array.from(lines, (line) => {
      const known = numbers.get(line);
      if (known !== undefined) return known;
      numbers.set(line, numbers.size);
      return numbers.size - 1;
    });
  const a = numbered(first);
  const b = numbered(second);
  const matched = new Int32Array(b.length).fill(-1);
  // Lines that stand once in both tell more about what stayed than the shortest way does, so they go first.
  const open: Span[] = [{ aFrom: 0, aTo: a.length, bFrom: 0, bTo: b.length }];
  for (let span = open.pop(); span !== undefined; span = open.pop()) {
    const rest = trimmed(a, b, span, matched);
    if (rest.aFrom === rest.aTo || rest.bFrom === rest.bTo) continue;
    const anchors = anchorsIn(a, b, rest);
    if (anchors.length === 0) {
      shortest(a, b, rest, matched);
      continue;
    }
    let { aFrom, bFrom } = rest;
    for (const [atA, atB] of anchors) {
      matched[atB] = atA;
      open.push({ aFrom, aTo: atA, bFrom, bTo: atB });
      aFrom = atA + 1;
      bFrom = atB + 1;
    }
    open.push({ aFrom, aTo: rest.aTo, bFrom, bTo: rest.bTo });
  }
  return matched;
}

interface Span {
  readonly aFrom: number;
  readonly aTo: number;
  readonly bFrom: number;
  readonly bTo: number;
}

function trimmed(a: Int32Array, b: Int32Array, span: Span, matched: Int32Array): Span {
  let { aFrom, aTo, bFrom, bTo } = span;
  while (aFrom < aTo && bFrom < bTo && a[aFrom] === b[bFrom]) {
    matched[bFrom] = aFrom;
    aFrom += 1;
    bFrom += 1;
  }
  while (aFrom < aTo && bFrom < bTo && a[aTo - 1] === b[bTo - 1]) {
    aTo -= 1;
    bTo -= 1;
    matched[bTo] = aTo;
  }
  return { aFrom, aTo, bFrom, bTo };
}

/** Lines that stand once in both spans, the longest run of them that keeps its order. */
function anchorsIn(
  a: Int32Array,
  b: Int32Array,
  span: Span,
): readonly (readonly [number, number])[] {
  const places = new Map<number, { a: number; b: number }>();
  for (let at = span.aFrom; at < span.aTo; at += 1) {
    const place = places.get(a[at]!);
    places.set(a[at]!, { a: place === undefined ? at : -2, b: -1 });
  }
  for (let at = span.bFrom; at < span.bTo; at += 1) {
    const place = places.get(b[at]!);
    if (place !== undefined) place.b = place.b === -1 ? at : -2;
  }
  const pairs = [...places.values()].filter((place) => place.a >= 0 && place.b >= 0);
  return longestRising(pairs.map((place) => [place.a, place.b] as const));
}

function longestRising(
  pairs: readonly (readonly [number, number])[],
): readonly (readonly [number, number])[] {
  const tails: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  for (const [index, [, value]] of pairs.entries()) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[tails[middle]!]![1] < value) low = middle + 1;
      else high = middle;
    }
    if (low > 0) before[index] = tails[low - 1]!;
    tails[low] = index;
  }
  const kept: (readonly [number, number])[] = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at]!) kept.push(pairs[at]!);
  return kept.reverse();
}

/** The fewest removed and added lines between two spans; beyond the limit nothing is matched. */
function shortest(a: Int32Array, b: Int32Array, span: Span, matched: Int32Array): void {
  const width = span.aTo - span.aFrom;
  const height = span.bTo - span.bFrom;
  const most = Math.min(width + height, limits.diffSteps);
  const trace: Int32Array[] = [];
  const reach = new Int32Array(2 * most + 3);
  const middle = most + 1;
  for (let steps = 0; steps <= most; steps += 1) {
    for (let k = -steps; k <= steps; k += 2) {
      const down = k === -steps || (k !== steps && reach[middle + k - 1]! < reach[middle + k + 1]!);
      let x = down ? reach[middle + k + 1]! : reach[middle + k - 1]! + 1;
      while (x < width && x - k < height && a[span.aFrom + x] === b[span.bFrom + x - k]) x += 1;
      reach[middle + k] = x;
      if (k === width - height && x >= width) {
        trace.push(reach.slice(middle - steps, middle + steps + 1));
        walkBack(trace, span, matched);
        return;
      }
    }
    trace.push(reach.slice(middle - steps, middle + steps + 1));
  }
}

function walkBack(trace: readonly Int32Array[], span: Span, matched: Int32Array): void {
  let x = span.aTo - span.aFrom;
  let y = span.bTo - span.bFrom;
  for (let steps = trace.length - 1; steps > 0; steps -= 1) {
    const k = x - y;
    const earlier = trace[steps - 1]!;
    const at = (diagonal: number): number => earlier[diagonal + steps - 1] ?? -1;
    const down = k === -steps || (k !== steps && at(k - 1) < at(k + 1));
    const fromK = down ? k + 1 : k - 1;
    const fromX = at(fromK);
    const fromY = fromX - fromK;
    const startX = down ? fromX : fromX + 1;
    for (let same = x; same > startX; same -= 1) {
      matched[span.bFrom + same - 1 - k] = span.aFrom + same - 1;
    }
    x = fromX;
    y = fromY;
  }
  for (; x > 0 && y > 0; x -= 1, y -= 1) matched[span.bFrom + y - 1] = span.aFrom + x - 1;
}
