import fc from "fast-check";
import { expect, test } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { injectedText, withoutInjected } from "../../src/model/injected.ts";
import { oneLine } from "../../src/model/text.ts";
import { readHeadAndFacts } from "../../src/store/head.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const seed = 20261116;
const dir = temporaryFolder();

const ours = injectedText("The goal: move the port.");
const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom("word ", "日本語", "😀", "é", "naïve ", "\n  ", '"', "\\"),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(`\n${ours}\n`, `\n${ours.slice(0, 40)}`, "reprise-context"),
  },
);
/** From one word to several times what a title shows. */
const said = fc
  .tuple(fc.array(piece, { maxLength: 12 }), fc.nat(120), piece)
  .map(([pieces, times, last]) => `${pieces.join("")}${(pieces[0] ?? "a").repeat(times)}${last}`);

test("a title is the first prompt in one line, without what was injected into it", async () => {
  await fc.assert(
    fc.asyncProperty(said, async (text) => {
      const session = SessionManager.create(dir, dir, { sync: "none" });
      session.appendSync({ type: "user", content: text });
      const { head } = readHeadAndFacts(session.getSessionFile()!);
      await session.close();
      const title = oneLine(withoutInjected(text), limits.titleChars);
      expect(head.title ?? "").toBe(title);
    }),
    { seed, numRuns: 600 },
  );
});

test("an event that holds a message of another program gives no title", async () => {
  const session = SessionManager.create(dir, dir, { sync: "none" });
  const data = { uuid: 1, type: "user", content: "not what a person said" };
  session.appendSync({ type: "custom", name: "raw", data });
  session.appendSync({ type: "user", content: "what a person said" });
  expect(readHeadAndFacts(session.getSessionFile()!).head.title).toBe("what a person said");
  await session.close();
});
