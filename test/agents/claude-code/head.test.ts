import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { claudeCode } from "../../../src/agents/claude-code/index.ts";
import type { SessionHead } from "../../../src/model/head.ts";
import {
  assistant,
  call,
  fixtures,
  homeAt,
  lines,
  newHome,
  other,
  removeHomes,
  sessionsIn,
  user,
  written,
} from "./store.ts";

afterAll(removeHomes);

type Records = Parameters<typeof lines>[0];

function headOf(content: Records | string): SessionHead | undefined {
  const ref = written(typeof content === "string" ? content : lines(content));
  return claudeCode.head(ref, homeAt("/"));
}

const snapshot = (bytes: number) =>
  other("p", "a1", {
    type: "attachment",
    attachment: { type: "prompt_snapshot", systemPrompt: ["x".repeat(bytes)] },
  });
const talk = [user("u1", null, "hello there"), assistant("a1", "u1", "hi")];
const cost = {
  type: "cost-state",
  totalCostUSD: 0.5,
  modelUsage: {
    "claude-opus-5-5": { inputTokens: 7, outputTokens: 3, cacheReadInputTokens: 2 },
    small: { inputTokens: 1, outputTokens: 1 },
  },
};

test("a head states what the first and last bytes tell", () => {
  const [ref] = sessionsIn(join(fixtures, "2.1.325/tools")).values();
  const { path, ...head } = claudeCode.head(ref!, homeAt("/"))!;
  expect(path).toBe(ref!.path);
  expect(head).toEqual({
    agent: "claude-code",
    session: "df8f3785-1969-4d60-8270-27afc6b34844",
    sizeBytes: ref!.sizeBytes,
    createdAt: "2026-11-15T18:24:50.364Z",
    updatedAt: "2026-11-15T18:24:51.110Z",
    title: "fix the add function",
    titled: false,
    cwd: "/home/dev/acme-api",
    cwdExists: false,
    git: { branch: "main" },
    model: "claude-opus-5-5",
    version: "2.1.325",
    state: "ended",
    usage: { input: 18286, output: 257, cacheRead: 0, cacheWrite: 0, reasoning: 0, cost: 0.078284 },
  });
});

describe("no session is", () => {
  test("an empty file, one of summaries or settings only, or a subagent's", () => {
    expect(headOf("")).toBeUndefined();
    expect(headOf([{ type: "summary", summary: "x", leafUuid: "y" }])).toBeUndefined();
    expect(headOf([{ type: "mode", mode: "normal", sessionId: "s" }])).toBeUndefined();
    const aside = talk.map((record) => ({ ...record, isSidechain: true }));
    expect(headOf(aside)).toBeUndefined();
    expect(headOf("not json\n".repeat(5000))).toBeUndefined();
  });

  test("and a file that is gone meanwhile says so", () => {
    const ref = { ...written(lines(talk)), path: "/nowhere/x.jsonl" };
    expect(claudeCode.head(ref, homeAt("/"))).toMatchObject({ state: "unknown" });
  });
});

describe("the title", () => {
  const ai = { type: "ai-title", aiTitle: "A guess", sessionId: "s" };
  const custom = { type: "custom-title", customTitle: "My name", sessionId: "s" };
  const summary = { type: "summary", summary: "What happened", leafUuid: "a1" };

  test("is the one given by hand, then the agent's, then a summary of this session, then the first prompt", () => {
    expect(headOf([...talk, ai, custom])).toMatchObject({ title: "My name", titled: true });
    expect(headOf([custom, ai, ...talk])).toMatchObject({ title: "My name", titled: true });
    expect(headOf([summary, ...talk, ai])).toMatchObject({ title: "A guess", titled: true });
    expect(headOf([summary, ...talk])).toMatchObject({ title: "What happened", titled: true });
    const others = { ...summary, leafUuid: "elsewhere" };
    expect(headOf([others, ...talk])).toMatchObject({ title: "hello there", titled: false });
  });

  test("given by hand is also found in its own file", () => {
    const home = newHome();
    const ref = written(lines([...talk, snapshot(50_000)]), home);
    mkdirSync(ref.path.replace(/\.jsonl$/, ""));
    writeFileSync(
      join(ref.path.replace(/\.jsonl$/, ""), "custom-title.json"),
      JSON.stringify({ customTitle: "From the side" }),
    );
    expect(claudeCode.head(ref, homeAt("/"))).toMatchObject({ title: "From the side" });
    const [located] = claudeCode.locate(homeAt(home));
    expect(claudeCode.head(located!, homeAt("/"))).toMatchObject({ title: "From the side" });
  });

  test("is never what a program put into a prompt", () => {
    const wrapped = [
      "<local-command-caveat>be careful</local-command-caveat>",
      "<command-name>/model</command-name>\n<command-args></command-args>",
      "<local-command-stdout>Set model</local-command-stdout>",
      "Caveat: the messages below were generated",
      "[Request interrupted by user for tool use]",
      "<system-reminder>\nnot typed\n</system-reminder>",
    ].map((text, at) => user(`w${at}`, at === 0 ? null : `w${at - 1}`, text));
    const prompt = user("u1", "w5", "<ide_opened_file>x.ts</ide_opened_file>  fix\nthis   please ");
    expect(headOf([...wrapped, prompt])).toMatchObject({ title: "fix this please", titled: false });
    expect(headOf(wrapped)).toMatchObject({ title: "/model", titled: false });
  });

  test("comes from prompts of any size, shape and place", () => {
    const long = `würde ${'long \\ "text" '.repeat(50_000)}`;
    expect(headOf([user("u1", null, long)])?.title).toMatch(/^würde long \\ "text" long .*…$/);
    const blocks = [
      { type: "text", text: "see this" },
      { type: "image", source: {} },
    ];
    expect(headOf([user("u1", null, blocks)])?.title).toBe("see this");
    const attachment = { type: "attachment", attachment: { type: "hook_success", stdout: "x" } };
    const hooked = Array.from({ length: 100 }, (_, at) =>
      other(`h${at}`, at === 0 ? null : `h${at - 1}`, attachment),
    );
    expect(headOf([...hooked, user("u1", "h99", "at last")])?.title).toBe("at last");
    const byHand = '{"uuid": "1", "type": "user", "message": {"content": "by hand"}}\n';
    expect(headOf(byHand)?.title).toBe("by hand");
  });
});

describe("the state", () => {
  const of = (records: Records) => headOf(records)?.state;

  test("is waiting after an answer, ended once the program wrote its costs", () => {
    expect(of(talk)).toBe("waiting");
    expect(of([...talk, cost])).toBe("ended");
    expect(of([...talk, snapshot(30_000), cost])).toBe("ended");
    expect(of([...talk, snapshot(30_000)])).toBe("waiting");
  });

  test("is interrupted where a turn is open", () => {
    const calling = assistant("a2", "u1", [call("t")], { message: { stop_reason: "tool_use" } });
    expect(of([talk[0]!])).toBe("interrupted");
    expect(of([talk[0]!, calling])).toBe("interrupted");
    expect(of([...talk, user("u2", "a1", "[Request interrupted by user]"), cost])).toBe(
      "interrupted",
    );
    expect(of([talk[0]!, assistant("a1", "u1", "half", { isAbortedMidStream: true })])).toBe(
      "interrupted",
    );
  });

  test("is not opened by what the program says after a command", () => {
    const said = user("u2", "a1", "<local-command-stdout>ok</local-command-stdout>");
    expect(of([...talk, said])).toBe("waiting");
  });
});

test("costs of all models are summed, and a fork names where it comes from", () => {
  const fork = { forkedFrom: { sessionId: "parent", messageUuid: "u0" } };
  expect(headOf([{ ...talk[0]!, ...fork }, talk[1]!, cost])).toMatchObject({
    usage: { input: 8, output: 4, cacheRead: 2, cost: 0.5 },
    relation: { kind: "fork", session: "parent", event: "u0" },
  });
});
