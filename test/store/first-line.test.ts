import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeLine, encodeBody, LineEncoder } from "../../src/log/line.ts";
import type { SessionStart } from "../../src/model/event.ts";
import { firstEvent } from "../../src/store/first-line.ts";

const seed = 20261117;

/** Texts that look like what the line is cut at. */
const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom(
    ',"cwd":',
    '","cwd":"',
    '"sum":"0123456789abcdef"',
    "日本語",
    "\\",
    "}{",
    "__proto__",
  ),
);
const fields = [
  fc.record({ title: text }),
  fc.record({ tags: fc.array(text, { maxLength: 3 }) }),
  fc.record({ cwd: text }),
  fc.record({ project: fc.record({ name: text, path: text }) }),
  fc.record({ git: fc.record({ branch: text, commit: text }) }),
  fc.record({ agent: fc.record({ name: text, version: text }) }),
  fc.record({ model: text }),
  fc.record({ createdBy: text }),
  fc.record({
    base: fc.record({ session: text, event: fc.nat(), endOffset: fc.nat(), sum: text }),
  }),
  fc.record({ continues: fc.record({ session: text, event: fc.nat() }) }),
  fc.record({ metadata: fc.record({ cwd: text, cwds: fc.record({ cwd: text, title: text }) }) }),
  fc.record({ pinned: fc.boolean() }),
];
const start = fc.tuple(fc.shuffledSubarray(fields), text).chain(([chosen, session]) =>
  fc.tuple(...chosen).map((parts): SessionStart => {
    const own = { type: "session_start", format: 1, session } as const;
    return Object.assign(own, ...parts) as SessionStart;
  }),
);

function lineOf(body: SessionStart, id = 1): Buffer {
  const at = "2026-11-17T10:00:00.000Z";
  const frame = { id, parent: undefined, at };
  return Buffer.from(new LineEncoder().encode(frame, encodeBody(body), "").bytes);
}

/** What a list takes of the event a parser makes of the line. */
function parsed(line: Buffer): unknown {
  const event = JSON.parse(line.toString("utf8")) as Record<string, unknown>;
  for (const left of ["id", "parent", "type", "session", "metadata", "sum"]) delete event[left];
  return event;
}

function told(line: Buffer): unknown {
  // Behind the line stands the next one, as in a file.
  const held = Buffer.concat([line, Buffer.from('{"id":2,"cwd":"elsewhere"}\n')]);
  return JSON.parse(JSON.stringify(firstEvent(held, line.length - 1)));
}

test("a first line tells what a parser would find in it, whatever stands in it and in the one before", () => {
  fc.assert(
    fc.property(fc.array(start, { minLength: 1, maxLength: 4 }), (starts) => {
      for (const body of [...starts, ...starts]) {
        const line = lineOf(body);
        expect(told(line)).toEqual(parsed(line));
      }
    }),
    { seed, numRuns: 1_500 },
  );
});

test("lines of forks, of editors and of others are told as well", () => {
  const body: SessionStart = {
    type: "session_start",
    format: 1,
    session: "s",
    cwd: "/a",
    model: "m",
  };
  const fork = lineOf(body, 57);
  expect(told(fork)).toEqual(parsed(fork));
  const edited = Buffer.from(
    '{"id": 1, "type": "session_start", "at": "x", "format": 1, "cwd": "/b"}\n',
  );
  expect(told(edited)).toEqual({ at: "x", format: 1, cwd: "/b" });
  const unsummed = Buffer.from(
    lineOf(body)
      .toString()
      .replace(/,"sum":"[0-9a-f]*"/, ""),
  );
  expect(told(unsummed)).toEqual(parsed(unsummed));
  const other = Buffer.from('{"id":1,"at":"x","type":"note","content":"hello"}\n');
  expect(firstEvent(other, other.length - 1)).toBeUndefined();
});

test("what a parser refuses or reads otherwise is left to it", () => {
  const sum = ',"sum":"0123456789abcdef"}';
  const front =
    '{"id":1,"at":"2026-11-15T10:00:00.000Z","type":"session_start","format":1,"session":"s"';
  const lines = [
    `${front},"cwd":"/x"${sum.slice(0, -1)}\0`,
    `${front},"cwd":"/x"${sum.replace("f", "\u0001")}`,
    `${front}X"title":"t","cwd":"/x"${sum}`,
    `${front},"title":"one","cwd":"/x","title":"two"${sum}`,
    `${front},"cwd":"/x","format":2${sum}`,
    `${front},"cwd":"/x","type":"note"${sum}`,
    `${front.replace('"s"', '"a\\qb"')},"cwd":"/x"${sum}`,
  ];
  for (const line of lines) {
    const bytes = Buffer.from(`${line}\n`);
    const event = decodeLine(bytes, bytes.length - 1);
    const isStart = event?.type === "session_start";
    expect(JSON.stringify(firstEvent(bytes, bytes.length - 1)), line).toEqual(
      isStart ? JSON.stringify(told(bytes)) : undefined,
    );
    if (isStart) expect(told(bytes)).toEqual(parsed(bytes));
  }
});
