import { expect, test } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { maskText } from "../../src/redact/mask.ts";
import { maskChunks } from "../../src/redact/mask-stream.ts";
import { secretSamples } from "./labelled/samples.mjs";

const key = Buffer.from("key");

async function masked(chunks: Iterable<string>): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of maskChunks(chunks, { key })) pieces.push(piece);
  return pieces.join("");
}

/** The text in chunks of a changing size. */
function* cut(text: string, sizes: readonly number[]): Generator<string> {
  for (let at = 0, round = 0; at < text.length; round += 1) {
    const size = sizes[round % sizes.length]!;
    yield text.slice(at, at + size);
    at += size;
  }
}

test("a text in chunks is masked as the whole text is, wherever it is cut", async () => {
  const filler = "Nothing to see here, only a line of a log.\n".repeat(60);
  const samples = secretSamples(5, { part: "first" }).map(({ text }) => text);
  const text = samples.map((sample) => `${filler}${sample}\n\n`).join(filler);
  expect(text.length).toBeGreaterThan(8 * limits.maskWindowChars);
  const whole = maskText(text, { key }).text;
  for (const sizes of [[65_536], [1000, 7, 40_000], [text.length]])
    expect(await masked(cut(text, sizes))).toBe(whole);
});

test("a stream without a line break is masked, too", async () => {
  const token = `ghp_${"aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY2zA4"}`;
  const text = `${"x ".repeat(3 * limits.maskWindowChars)}${token} `.repeat(3);
  const out = await masked(cut(text, [10_007]));
  expect(out).not.toContain("ghp_");
  expect(out.match(/\[secret:github-token:/g)).toHaveLength(3);
});
