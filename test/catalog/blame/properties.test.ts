import { describe, expect, test } from "vitest";
import { seeded } from "../../random.mjs";
import { TrackedFile } from "./random-edits.ts";
import { callAt, Workshop } from "./workshop.ts";

const seed = 20_261_115;
const rounds = 30;
const workers = ["claude-code", "codex", "gemini-cli", "opencode"] as const;

interface Scene {
  readonly shop: Workshop;
  readonly file: TrackedFile;
  readonly random: ReturnType<typeof seeded>;
}

/** Four agents edit one file in turns; afterwards people change it by hand. */
async function scene(
  round: number,
  options: { readonly start: "empty" | "committed" | "untold"; readonly handBetween?: boolean },
): Promise<Scene & { readonly sessions: Awaited<ReturnType<Workshop["sessions"]>> }> {
  const random = seeded(seed, round);
  const shop = new Workshop();
  const file = new TrackedFile(shop, random, {
    writes: options.start !== "untold" && options.handBetween !== true,
  });
  if (options.start !== "empty") file.begin(12 + random.below(20));
  if (options.start === "committed") shop.commit("the beginning");
  const team = workers.map((agent) => shop.begin(agent, `please work, ${agent}`));
  for (let edits = 20 + random.below(40); edits > 0; edits -= 1) {
    file.edit(random.pick(team));
    if (options.handBetween && random.below(6) === 0 && file.lines.length > 4) file.editByHand();
  }
  return { shop, file, random, sessions: await shop.sessions() };
}

describe(`blame, seed ${seed}`, () => {
  test.each(["empty", "committed"] as const)(
    "every line that agents wrote leads to its call, and hand-made ones are unknown (%s)",
    async (start) => {
      for (let round = 0; round < rounds; round += 1) {
        const { shop, file, sessions } = await scene(round, { start });
        for (let times = 0; times < 4 && file.lines.length > 4; times += 1) file.editByHand();
        const told = await shop.blame(file.name, sessions);
        const found = told.lines.map(({ text, writer }) => ({ text, owner: writer?.by.act.call }));
        const expected = file.lines.map(({ text, owner }) => ({
          text,
          owner: owner === "base" || owner === "hand" ? undefined : owner,
        }));
        expect(found, `round ${round}`).toEqual(expected);
        for (const { writer } of told.lines.filter((_, at) => at % 7 === 0)) {
          if (writer === undefined) continue;
          const { origin, act } = writer.by;
          const session = sessions.find(({ head }) => head.session === origin.session)!;
          expect(await callAt(session, act.event)).toBe(act.call);
        }
      }
    },
  );

  test("a file nobody told the beginning of is followed back from what it is now", async () => {
    let own = 0;
    let right = 0;
    for (let round = 0; round < rounds; round += 1) {
      const { shop, file, sessions } = await scene(round, { start: "untold" });
      const told = await shop.blame(file.name, sessions);
      for (const [at, { owner }] of file.lines.entries()) {
        const call = told.lines[at]!.writer?.by.act.call;
        if (call !== undefined) expect(call, `round ${round} line ${at + 1}`).toBe(owner);
        if (owner !== "base" && owner !== "hand") own += 1;
        if (call === owner) right += 1;
      }
    }
    expect(right / own).toBeGreaterThan(0.98);
  });

  test("changes by hand between the edits of agents never put a line on the wrong one", async () => {
    let own = 0;
    let right = 0;
    for (let round = 0; round < rounds; round += 1) {
      const { shop, file, sessions } = await scene(round, {
        start: "committed",
        handBetween: true,
      });
      const told = await shop.blame(file.name, sessions);
      for (const [at, { owner }] of file.lines.entries()) {
        const call = told.lines[at]!.writer?.by.act.call;
        if (call !== undefined) expect(call, `round ${round} line ${at + 1}`).toBe(owner);
        if (owner !== "base" && owner !== "hand") own += 1;
        if (call === owner) right += 1;
      }
    }
    // A brace whose surroundings were changed by hand is left unknown rather than guessed.
    expect(right / own).toBeGreaterThan(0.95);
  });
});
