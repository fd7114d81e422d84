import fc from "fast-check";
import { expect, test } from "vitest";
import { isRepriseError } from "../../src/base/errors.ts";
import { type Estimate, estimateTokens } from "../../src/context/estimate.ts";
import { roomOf, tokensOf } from "../../src/context/room.ts";
import { messageTokens } from "../../src/context/tokens.ts";
import type { EventBody } from "../../src/model/event.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import type { AutoCompact } from "../../src/store/session-options.ts";

const seed = 20261118;
const scripts = [
  "word and word, ",
  "我们决定这样做。",
  "สวัสดีชาวโลก",
  "안녕하세요 ",
  "😀👍🏽",
  "QUJDREVGR0hJSktM",
];

/** About so many tokens of some script. */
function text(tokens: number, script: number): string {
  const piece = scripts[script % scripts.length]!;
  const perPiece = Math.max(1, estimateTokens(piece));
  return piece.repeat(Math.max(1, Math.round(tokens / perPiece)));
}

type Act = {
  readonly kind:
    | "prompt"
    | "injected"
    | "answer"
    | "thinking"
    | "calls"
    | "image"
    | "hook"
    | "rewind";
  /** Its size in parts of the window. */
  readonly size: number;
  readonly script: number;
  readonly calls: number;
  readonly sync: boolean;
};

/** A part of a window, every size as likely as the others. */
function share(most: number): fc.Arbitrary<number> {
  return fc.nat(1000).map((part) => (part / 1000) * most);
}

const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom(
    "prompt",
    "prompt",
    "prompt",
    "injected",
    "answer",
    "answer",
    "thinking",
    "calls",
    "calls",
    "image",
    "hook",
    "rewind",
  ),
  size: fc.oneof({ weight: 5, arbitrary: share(0.2) }, { weight: 1, arbitrary: share(1.3) }),
  script: fc.nat(scripts.length - 1),
  calls: fc.integer({ min: 1, max: 3 }),
  sync: fc.boolean(),
});

const window = fc.nat(3000).map((part) => Math.round(10 ** (3 + part / 1000)));

/** A tokenizer of one's own: three characters are one token. */
const byThree: Estimate = (said) => Math.ceil(said.length / 3);

/** Appends one act; returns the events that were refused. */
async function perform(
  session: SessionManager,
  one: Act,
  windowTokens: number,
): Promise<readonly EventBody[]> {
  const said = text(one.size * windowTokens, one.script);
  const refused: EventBody[] = [];
  const put = async (body: EventBody): Promise<void> => {
    try {
      if (one.sync) session.appendSync(body);
      else await session.append(body);
    } catch (error) {
      if (!isRepriseError(error, "window_exceeded")) throw error;
      const { tokens, roomTokens } = error.details as { tokens: number; roomTokens: number };
      expect(tokens).toBeGreaterThan(roomTokens);
      refused.push(body);
    }
  };
  switch (one.kind) {
    case "prompt":
      await put({ type: "user", content: said });
      break;
    case "injected":
      await put({ type: "user", content: said, injected: true });
      break;
    case "hook":
      await put({ type: "hook", event: "e", content: said });
      break;
    case "image":
      await put({
        type: "user",
        content: [
          { type: "image", mediaType: "image/png", source: { kind: "base64", data: "AAAA" } },
        ],
      });
      break;
    case "answer":
      await put({ type: "assistant", content: said, endTurn: true });
      break;
    case "thinking":
      await put({ type: "thinking", content: said, signature: "s" });
      break;
    case "calls": {
      const last = session.getLeafId();
      const ids = Array.from({ length: one.calls }, (_, index) => `c${last}-${index}`);
      for (const call of ids)
        await put({ type: "tool_use", call, name: "run", input: { said: said.slice(0, 400) } });
      for (const call of ids) {
        await put({ type: "tool_result", call, content: said });
        if (refused.length > 0) break;
      }
      break;
    }
    case "rewind": {
      const path = session.path();
      const to = path[Math.floor(path.length * Math.min(1, one.size * 2) * 0.99)]!;
      await session.rewind(to.id);
    }
  }
  return refused;
}

const given = new Set(["prompt", "injected", "hook", "image", "calls"]);

test("by the estimate no request is larger than its window, from a thousand tokens to a million", async () => {
  let compactions = 0;
  let refusals = 0;
  await fc.assert(
    fc.asyncProperty(
      window,
      fc.record({
        overhead: share(0.4),
        reserve: fc.option(share(0.5), { nil: undefined }),
        keep: fc.option(share(1.2), { nil: undefined }),
        strategy: fc.constantFrom("summarise", "truncate", "rotate", "own"),
        estimate: fc.constantFrom(undefined, byThree),
        system: share(0.1),
      }),
      fc.array(act, { minLength: 5, maxLength: 25 }),
      async (windowTokens, how, acts) => {
        const { estimate } = how;
        const autoCompact: AutoCompact = {
          windowTokens,
          overheadTokens: Math.floor(how.overhead * windowTokens),
          ...(how.reserve !== undefined && {
            reserveTokens: Math.floor(how.reserve * windowTokens),
          }),
          ...(how.keep !== undefined && { keepTokens: Math.floor(how.keep * windowTokens) }),
          // A model that keeps to no budget.
          ...(how.strategy === "own"
            ? { summarise: async () => text(windowTokens, 0) }
            : { strategy: how.strategy }),
        };
        const session = SessionManager.inMemory("/", {
          autoCompact,
          ...(estimate !== undefined && { estimate }),
        });
        await session
          .append({ type: "system", content: text(how.system * windowTokens, 0) })
          .catch(() => undefined);
        const room = roomOf(autoCompact);
        for (const one of acts) {
          const refused = await perform(session, one, windowTokens);
          refusals += refused.length;
          for (const body of refused) expect(tokensOf([body], estimate)).toBeGreaterThan(0);
          if (!given.has(one.kind) || refused.length > 0) continue;
          const { messages } = session.buildSessionContext();
          const tokens = messages.reduce(
            (sum, message) => sum + messageTokens(message, estimate),
            0,
          );
          expect(tokens).toBeLessThanOrEqual(room);
        }
        for await (const { type } of session.events()) if (type === "compaction") compactions += 1;
        await session.close();
      },
    ),
    { seed, numRuns: 90 },
  );
  expect(compactions).toBeGreaterThan(100);
  expect(refusals).toBeGreaterThan(20);
});

test("a prompt that alone is too large is refused with its size, and nothing is written", async () => {
  const session = SessionManager.inMemory("/", {
    autoCompact: { windowTokens: 1000, overheadTokens: 100 },
  });
  const before = session.getLeafId();
  await expect(session.appendUser("word ".repeat(2000))).rejects.toMatchObject({
    code: "window_exceeded",
    details: { tokens: 2500, roomTokens: 700, windowTokens: 1000 },
  });
  expect(() => session.appendSync({ type: "user", content: "我".repeat(701) })).toThrow(
    "about 701 tokens",
  );
  expect(session.getLeafId()).toBe(before);
  await session.close();
});

test("the built-in estimate knows scripts, emoji and what is encoded", () => {
  expect(estimateTokens("我们决定使用这个方案")).toBe(10);
  expect(estimateTokens("안녕하세요")).toBe(5);
  expect(estimateTokens("ありがとう")).toBe(5);
  expect(estimateTokens("สวัสดี")).toBe(6);
  expect(estimateTokens("😀")).toBe(2);
  expect(estimateTokens("Привет, мир")).toBe(5);
  expect(estimateTokens("abcd".repeat(100))).toBe(200);
  expect(estimateTokens("word ".repeat(80))).toBe(100);
});
