import fc from "fast-check";
import { expect, test } from "vitest";
import { loadAgents } from "../../src/agents/registry.ts";
import { eventText } from "../../src/catalog/index/event-text.ts";
import { needleIn } from "../../src/catalog/scan/needle.ts";
import { bitsFor, joined, mayHave, type Sketch, Sketcher } from "../../src/catalog/scan/sketch.ts";
import { seeded } from "../agents/kit/random.ts";
import { find, fixtureHome, places } from "./home.ts";

const agents = await loadAgents();

const seed = 20261116;

function sketchesOf(...texts: readonly string[]): readonly Sketch[] {
  const sketcher = new Sketcher();
  for (const text of texts) sketcher.add(Buffer.from(text));
  return sketcher.end();
}

function mayBeIn(sketches: readonly Sketch[], text: string): boolean {
  const marks = bitsFor(needleIn(text, true)!);
  return sketches.some(({ bits }) => mayHave(bits, marks));
}

const characters = fc.constantFrom(...'vVkKxXjJ3579abe _.-\n"é日🎉ő');
const said = fc.string({ unit: characters, minLength: 3, maxLength: 60 });
const before = fc.oneof(
  fc.integer({ min: 0, max: 100 }),
  // Around the ends of the pieces that are looked at.
  fc.integer({ min: 65_480, max: 65_600 }),
  fc.integer({ min: 131_000, max: 131_100 }),
);

test(`what a text has is never missing from its sketch, wherever it lies (seed ${seed})`, () => {
  fc.assert(
    fc.property(said, before, fc.nat(), fc.nat(), (text, filler, from, length) => {
      const start = from % (text.length - 2);
      const part = text.slice(start, start + 3 + (length % text.length));
      if (needleIn(part, true) === undefined) return;
      const sketches = sketchesOf("first", `${"e".repeat(filler)}${text}${"e".repeat(filler)}`);
      for (const way of [part, part.toUpperCase(), part.toLowerCase()]) {
        if (needleIn(way, true)?.text.length === needleIn(part, true)!.text.length) {
          expect(mayBeIn(sketches, way)).toBe(true);
        }
      }
    }),
    { seed, numRuns: 500 },
  );
});

test(`two sketches in one have what each had (seed ${seed})`, () => {
  fc.assert(
    fc.property(fc.array(said, { minLength: 2, maxLength: 30 }), (texts) => {
      const [first, ...more] = texts.map((text) => sketchesOf(text)[0]!);
      const all = more.reduce<Sketch | undefined>((both, one) => both && joined(both, one), first);
      for (const text of texts) {
        if (needleIn(text, true) !== undefined) expect(mayBeIn([all!], text)).toBe(true);
      }
    }),
    { seed, numRuns: 200 },
  );
});

test("a text is told from one that has it not, unless it has nothing rare", () => {
  const sketches = sketchesOf("Please rename the function and run the tests again. ".repeat(2_000));
  expect(mayBeIn(sketches, "E0382")).toBe(false);
  expect(mayBeIn(sketches, "req_7x5")).toBe(false);
  expect(mayBeIn(sketches, "kubectl")).toBe(false);
  expect(bitsFor(needleIn("rate limit", false)!)).toEqual([]);
});

test("a sketch grows with its text up to a size, and then there is another", () => {
  const sizes = (chars: number): readonly number[] =>
    sketchesOf(...Array.from({ length: chars / 1000 }, () => "e".repeat(1000))).map(
      ({ bits }) => bits.length,
    );
  expect(sizes(1_000)).toEqual([80]);
  expect(sizes(150_000)).toEqual([160]);
  expect(sizes(400_000)).toEqual([320]);
  expect(sizes(900_000)).toEqual([320, 320, 80]);
  const [small, large] = [sketchesOf("v12")[0]!, sketchesOf("e".repeat(100_000))[0]!];
  expect(joined(small, small)?.bits).toEqual(small.bits);
  expect(joined(large, large)).toBeUndefined();
  // What was folded cannot be unfolded.
  expect(joined(sketchesOf("e".repeat(300_000))[0]!, small)).toBeUndefined();
});

test(`with sketches the same is found as without, over every fixture (seed ${seed})`, async () => {
  const env = fixtureHome();
  const random = seeded(seed);
  const texts: string[] = [];
  for (const agent of agents) {
    for (const ref of agent.locate(env, { projects: [env.cwd] })) {
      for await (const batch of agent.read(ref, { allBranches: true })) {
        for (const { body } of batch.events) texts.push(eventText(body)?.text ?? "");
      }
    }
  }
  let told = 0;
  for (let round = 0; round < 40; round += 1) {
    const text = random.pick(texts.filter((each) => /[vkxjqz3-9][\w .-]{2}/i.test(each)));
    const at = text.search(/[vkxjqz3-9][\w .-]{2}/i);
    const part = text.slice(Math.max(0, at - random.below(4)), at + 3 + random.below(6));
    const found = await find(env, { text: part, mode: "substring" });
    // A pattern from which nothing can be taken looks through everything.
    const pattern = `(?:${part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")})`;
    const all = await find(env, { text: pattern, mode: "regex" });
    expect(places(found), part).toEqual(places(all));
    expect(places(found).length).toBeGreaterThan(0);
    if (found.freshness.streamed < all.freshness.streamed) told += 1;
  }
  expect(told).toBeGreaterThan(30);
});
