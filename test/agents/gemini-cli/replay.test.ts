import { closeSync, openSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { UnknownCounts } from "../../../src/agents/batches.ts";
import { geminiCli } from "../../../src/agents/gemini-cli/index.ts";
import { replay } from "../../../src/agents/gemini-cli/read/live-path.ts";
import { MessageIndex } from "../../../src/agents/gemini-cli/read/message-index.ts";
import { RecordLoader } from "../../../src/agents/gemini-cli/read/record-loader.ts";
import { ByteWindow } from "../../../src/base/byte-window.ts";
import { plainText } from "../../../src/model/block.ts";
import { acceptedDifferences } from "../accepted-differences.ts";
import { expectedRequest, fixtureRoot, readAll, refOf, scenarios, sessionsOf } from "./fixtures.ts";
import { liveTurns, sentTurns } from "./turns.ts";

describe.each(scenarios)("%s", (scenario) => {
  for (const { path, recount } of sessionsOf(scenario)) {
    const name = relative(join(fixtureRoot, scenario), path);

    test(`${name}: the replay has the messages of an independent recount`, () => {
      if (path.endsWith(".json")) {
        expect(JSON.parse(readFileSync(path, "utf8")).messages).toHaveLength(recount.messages);
        return;
      }
      const counts: Record<string, number> = { user: 0, gemini: 0, info: 0 };
      const index = new MessageIndex();
      const fd = openSync(path, "r");
      const { size } = statSync(path);
      expect([...replay(fd, { end: size, index, unknown: new UnknownCounts() })]).toEqual([]);
      const loader = new RecordLoader(new ByteWindow(fd, size));
      for (let position = 0; position < index.liveSize; position += 1) {
        const type = String(loader.load(index.placeAt(index.liveAt(position)))?.["type"]);
        counts[type] = (counts[type] ?? 0) + 1;
      }
      closeSync(fd);
      const { user, gemini, info } = recount;
      expect({ messages: index.liveSize, ...counts }).toEqual({
        messages: recount.messages,
        user,
        gemini,
        info,
      });
    });

    test(`${name}: calls, thoughts, tokens and prompts are those of the recount`, async () => {
      const { events, damage, unknown } = await readAll(refOf(path));
      expect(damage).toEqual([]);
      expect(unknown).toEqual({});
      const ofType = (type: string) => events.filter((event) => event.body.type === type);
      expect(ofType("tool_use")).toHaveLength(recount.toolCalls);
      expect(ofType("tool_result")).toHaveLength(recount.toolCalls);
      expect(ofType("thinking")).toHaveLength(recount.thoughts);
      expect(ofType("note")).toHaveLength(recount.info);
      let tokens = 0;
      for (const { body } of events) {
        if (!("usage" in body) || body.usage === undefined) continue;
        const { input = 0, output = 0, cacheRead = 0, reasoning = 0 } = body.usage;
        tokens += input + output + cacheRead + reasoning;
      }
      expect(tokens).toBe(recount.tokensTotal);
      const prompts = events.flatMap(({ body }) => {
        if (body.type === "compaction") return [body.summary];
        return body.type === "user" && !body.injected ? [plainText(body.content)] : [];
      });
      expect(prompts.map((prompt) => prompt.slice(0, 80))).toEqual(recount.prompts);
    });

    const expected = expectedRequest(scenario, recount.sessionId);
    if (expected === undefined || recount.messages === 1) continue;
    test(`${name}: the live path is what the program sends on resume`, async () => {
      const { events } = await readAll(refOf(path));
      const [ours, theirs] = [liveTurns(events), sentTurns(expected.contents)];
      const accepted = new Set(
        acceptedDifferences
          .filter((one) => one.agent === geminiCli.name && one.scenario === scenario)
          .map((one) => one.index),
      );
      const kept = (turns: typeof ours) => turns.filter((_, index) => !accepted.has(index));
      expect(kept(ours)).toEqual(kept(theirs));
    });

    test(`${name}: every event read without branches is live, and branches only add`, async () => {
      const live = await readAll(refOf(path));
      const all = await readAll(refOf(path), { allBranches: true });
      expect(live.events.every((event) => event.live)).toBe(true);
      expect(all.events.filter((event) => event.live)).toEqual(live.events);
      const numbers = all.events.map((event) => event.number);
      expect(new Set(numbers).size).toBe(numbers.length);
    });
  }
});

test("prompts that a compression or a restore took away are shown among the branches", async () => {
  const [session] = sessionsOf("0.61.0/compressed");
  const { events } = await readAll(refOf(session!.path), { allBranches: true });
  const lost = events.filter((event) => !event.live && event.body.type === "user");
  const texts = lost.map(({ body }) => (body.type === "user" ? plainText(body.content) : ""));
  expect(texts).toContain("Add a health endpoint to src/server.js");
});

test("a prompt that a hook hid from resume is shown among the branches without the hook's text", async () => {
  const [session] = sessionsOf("0.61.0/hooks");
  const { events } = await readAll(refOf(session!.path), { allBranches: true });
  const prompts = events.filter(({ body }) => body.type === "user" && !body.injected);
  expect(prompts.map(({ body, live }) => [live, body.type === "user" && body.content])).toEqual([
    [false, "Add a health endpoint to src/server.js"],
  ]);
});
