import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { linesBackward } from "../../src/jsonl/read-backward.ts";
import { linesForward } from "../../src/jsonl/read-forward.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const folder = temporaryFolder();

interface Seen {
  readonly offset: number;
  readonly text: string;
  readonly complete: boolean;
}

function seen(
  content: string,
  read: (fd: number) => Iterable<{ offset: number; bytes: Buffer; complete: boolean }>,
): Seen[] {
  const file = join(folder, "file");
  writeFileSync(file, content);
  const fd = openSync(file, "r");
  try {
    return [...read(fd)].map((line) => ({
      offset: line.offset,
      text: line.bytes.toString(),
      complete: line.complete,
    }));
  } finally {
    closeSync(fd);
  }
}

/** What both readers must say, by the plainest means. */
function expected(content: string): Seen[] {
  const lines: Seen[] = [];
  let offset = 0;
  const pieces = content.split("\n");
  pieces.forEach((text, index) => {
    const complete = index < pieces.length - 1;
    if (complete || text !== "") lines.push({ offset, text, complete });
    offset += Buffer.byteLength(text) + 1;
  });
  return lines;
}

const contents = fc.oneof(
  fc
    .array(
      fc.oneof(fc.constant("\n"), fc.string({ maxLength: 40 }), fc.constant("é{}".repeat(9000))),
      { maxLength: 30 },
    )
    .map((parts) => parts.join("")),
  fc.constant("x".repeat(300_000)),
);

// Views are only valid until the next line; copying in map would be too late, so collect as we go.
function* copied(lines: Iterable<{ offset: number; bytes: Buffer; complete: boolean }>) {
  for (const line of lines) yield { ...line, bytes: Buffer.from(line.bytes) };
}

test("reading forward gives every line with its offset", () => {
  fc.assert(
    fc.property(contents, (content) => {
      expect(seen(content, (fd) => copied(linesForward(fd)))).toEqual(expected(content));
    }),
    { numRuns: 200, seed: 20261115 },
  );
});

test("reading backward gives the same lines in reverse", () => {
  fc.assert(
    fc.property(contents, fc.integer({ min: 1, max: 64 }), (content, firstChunkBytes) => {
      const lines = seen(content, (fd) => copied(linesBackward(fd, { firstChunkBytes })));
      expect(lines.reverse()).toEqual(expected(content));
    }),
    { numRuns: 200, seed: 20261115 },
  );
});

test("a line over the limit is passed over and told, the others are read", () => {
  const content = `short\n${"x".repeat(700_000)}\nend\n`;
  const forward: [number, boolean][] = [];
  const backward: [number, boolean][] = [];
  seen(content, (fd) => {
    for (const line of linesForward(fd, { maxLineBytes: 1000 }))
      forward.push([line.length, line.tooLong]);
    for (const line of linesBackward(fd, { maxLineBytes: 1000 }))
      backward.push([line.length, line.tooLong]);
    return [];
  });
  const lengths: [number, boolean][] = [
    [6, false],
    [700_001, true],
    [4, false],
  ];
  expect(forward).toEqual(lengths);
  expect(backward.reverse()).toEqual(lengths);
});
