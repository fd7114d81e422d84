import { expect, test } from "vitest";
import { givenEvent } from "../../../src/programs/cli/sessions/given-event.ts";
import { inputLines, objectOf } from "../../../src/programs/cli/terminal/stdin.ts";

test.each([
  [
    { role: "user", content: "hi", name: "Ann" },
    { type: "user", content: "hi", author: "Ann" },
  ],
  [
    { role: "ai", content: "yo", model: "m" },
    { type: "assistant", content: "yo", model: "m" },
  ],
  [
    { role: "developer", content: "be" },
    { type: "system", content: "be" },
  ],
  [
    { role: "tool", tool_call_id: "c", content: [{ type: "text", text: "x" }] },
    { type: "tool_result", call: "c", content: [{ type: "text", text: "x" }] },
  ],
  [
    { type: "note", content: "n" },
    { type: "note", content: "n" },
  ],
])("%j is understood", (given, event) => {
  expect(givenEvent(given, 1)).toEqual(event);
});

test.each([
  [{}, /needs a "type", or a "role"/],
  [{ role: "robot", content: "x" }, /needs a "type", or a "role"/],
  [{ role: "user" }, /needs "content"/],
  [{ role: "tool", content: "x" }, /needs "call"/],
  [{ type: "session_start", format: 1, session: "x" }, /one session_start/],
  [{ type: "user", content: 7 }, /needs "content"/],
  [{ type: "user", content: "x", sum: "0" }, /set by the log/],
])("%j is refused and its line named", (given, message) => {
  expect(() => givenEvent(given, 12)).toThrowError(message);
  expect(() => givenEvent(given, 12)).toThrowError(/^Line 12: /);
});

async function* chunks(...parts: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* parts;
}

async function linesOf(...parts: readonly Buffer[]): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const { number, text } of inputLines(chunks(...parts)))
    lines.push(`${number}:${text}`);
  return lines;
}

test("lines are put together across chunks, also inside a character", async () => {
  const bytes = Buffer.from("é\n\n  \nzwei\n🎉");
  const parts = [...bytes].map((byte) => Buffer.from([byte]));
  expect(await linesOf(...parts)).toEqual(["1:é", "4:zwei", "5:🎉"]);
});

test("what is not UTF-8 or not an object is refused", async () => {
  await expect(linesOf(Buffer.from([0xff, 0x0a]))).rejects.toThrowError(/not UTF-8/);
  await expect(linesOf(Buffer.from([0xe2, 0x82]))).rejects.toThrowError(/not UTF-8/);
  expect(() => objectOf({ number: 3, text: "[1]" })).toThrowError("Line 3 is not a JSON object");
  expect(() => objectOf({ number: 3, text: "{" })).toThrowError("Line 3 is not JSON");
});
