// Looking for secrets in a text, against looking at each of its characters once.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findSecrets } from "../dist/rooms/redact/find.js";
import { harmlessSamples, secretSamples } from "../test/redact/labelled/samples.mjs";
import { randomFrom, textFrom } from "./corpora.mjs";
import { atMost, factRow, interleave, timed } from "./measure.mjs";

export async function rows({ quick, sessions }) {
  const chars = quick ? 4_000_000 : 20_000_000;
  const texts = sessions === undefined ? makeTexts(chars) : textsOf(sessions, chars);
  const megabytes = texts.reduce((sum, text) => sum + text.length, 0) / 1e6;
  const times = await interleave(
    {
      ours: () => timed(() => texts.reduce((sum, text) => sum + findSecrets(text).length, 0)),
      floor: () => timed(() => texts.reduce((sum, text) => sum ^ everyCharacter(text), 0)),
    },
    { rounds: quick ? 5 : 9, warmups: 1 },
  );
  const what = `secrets in ${megabytes.toFixed(0)} MB of messages and tool output`;
  // Time of the processor: how many others use the machine says nothing about the rules.
  const before = process.cpuUsage();
  for (const text of texts) findSecrets(text);
  const speed = megabytes / (process.cpuUsage(before).user / 1e6);
  return [
    atMost(`${what}: / look at each character`, times, 30),
    factRow(`${what}: ${speed.toFixed(0)} MB/s, at least 30`, speed >= 30),
  ];
}

function everyCharacter(text) {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum ^= text.charCodeAt(at);
  return sum;
}

/** The strings of the transcripts below a home, as they stand in their records. */
function textsOf(home, chars) {
  const texts = [];
  let size = 0;
  const take = (value) => {
    if (typeof value === "string") {
      texts.push(value);
      size += value.length;
    } else if (typeof value === "object" && value !== null) Object.values(value).forEach(take);
  };
  for (const name of readdirSync(home, { recursive: true }).sort()) {
    if (!name.endsWith(".jsonl") || size >= chars) continue;
    for (const line of readFileSync(join(home, name), "utf8").split("\n")) {
      try {
        take(JSON.parse(line));
      } catch {
        // An empty or torn line has no strings.
      }
    }
  }
  return texts;
}

/** Mostly words, between them code, hashes, paths, escaped JSON, and now and then a secret. */
function makeTexts(chars) {
  const random = randomFrom(5);
  const ordinary = harmlessSamples(5).map(({ text }) => text);
  const secret = secretSamples(5, { part: "first" }).map(({ text }) => text);
  const texts = [];
  for (let size = 0, round = 0; size < chars; round += 1) {
    const pieces = [textFrom(random, 2000)];
    if (round % 5 === 0) pieces.push(ordinary[(round / 5) % ordinary.length]);
    if (round % 50 === 0) pieces.push(secret[(round / 50) % secret.length]);
    texts.push(pieces.join("\n"));
    size += texts.at(-1).length;
  }
  return texts;
}
