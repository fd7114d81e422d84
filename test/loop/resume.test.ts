import { expect, test } from "vitest";
import type { ApprovalRequest } from "../../src/loop/approval.ts";
import { plainText } from "../../src/model/block.ts";
import type { EventBody } from "../../src/model/event.ts";
import { AsyncSessionManager } from "../../src/store/async-session-manager.ts";
import { MemoryStore } from "../../src/store/memory.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import { temporaryFolder } from "../temporary-folder.mjs";
import { agentWith, modelAt, protocols, serve } from "./agent.ts";
import { brokenRules } from "./model-server.mjs";

const touch = {
  name: "touch",
  description: "Touches.",
  parameters: { type: "object", properties: { path: { type: "string" } } },
  run: () => "touched",
};

test.each(protocols)(
  "calls that a killed process left open get an error result, once, and the caller learns of them (%s)",
  async (protocol) => {
    const folder = temporaryFolder();
    const killed = SessionManager.create(folder, folder);
    await killed.appendAll([
      { type: "user", content: "Touch both" },
      { type: "tool_use", call: "a", name: "touch", input: { path: "a" } },
      { type: "tool_use", call: "b", name: "touch", input: { path: "b" } },
      { type: "tool_result", call: "a", content: "touched" },
    ]);
    await killed.close();
    const server = await serve([{ text: "Sorry." }]);
    const manager = SessionManager.open(killed.getSessionFile()!);
    const agent = await agentWith({
      model: modelAt(server.url, protocol),
      sessionManager: manager,
    });
    expect(agent.openCalls).toEqual([{ call: "b", name: "touch", input: { path: "b" } }]);
    await agent.session.prompt("What happened?");
    await agent.session.prompt("And now?");
    expect(agent.told.filter(({ type }) => type === "resumed").length).toBe(1);
    expect(server.requests.flatMap(brokenRules)).toEqual([]);
    const results = manager
      .path()
      .flatMap((event) => (event.type === "tool_result" ? [event] : []));
    expect(results.map(({ call, isError = false }) => [call, isError])).toEqual([
      ["a", false],
      ["b", true],
    ]);
    expect(plainText(results[1]!.content)).toContain("Interrupted");
  },
);

test("calls that an earlier turn left open are not answered again", async () => {
  const folder = temporaryFolder();
  const manager = SessionManager.create(folder, folder);
  await manager.appendAll([
    { type: "user", content: "Touch" },
    { type: "tool_use", call: "a", name: "touch", input: {} },
    { type: "user", content: "Never mind" },
    { type: "assistant", content: "As you like." },
  ]);
  const server = await serve([{ text: "Yes?" }]);
  const agent = await agentWith({
    model: modelAt(server.url, "anthropic"),
    sessionManager: manager,
  });
  expect(agent.openCalls).toEqual([]);
  await agent.session.prompt("Hello");
  expect(server.requests.flatMap(brokenRules)).toEqual([]);
});

function called(times: number): { calls: { name: string; input: object }[] }[] {
  return Array.from({ length: times }, () => ({
    calls: [{ name: "touch", input: { path: "x" } }],
  }));
}

test("approvals are recorded, hold for this process alone, and are asked for again after a resume", async () => {
  const asked: ApprovalRequest[] = [];
  const approve = (request: ApprovalRequest) => {
    asked.push(request);
    return asked.length === 1 ? ("once" as const) : ("session" as const);
  };
  const server = await serve([...called(4), { text: "Done." }, ...called(1), { text: "Done." }]);
  const model = modelAt(server.url, "anthropic");
  const first = await agentWith({ model, tools: [touch], approve });
  await first.session.prompt("Touch four times");
  expect(asked.length).toBe(2);
  await first.manager.close();
  const manager = SessionManager.open(first.manager.getSessionFile()!);
  const second = await agentWith({ model, tools: [touch], approve, sessionManager: manager });
  await second.session.prompt("Once more");
  expect(asked.length).toBe(3);
  const approvals = manager.path().flatMap((event) => (event.type === "approval" ? [event] : []));
  expect(approvals.map(({ decision, scope }) => `${decision} ${scope}`)).toEqual([
    "allowed once",
    "allowed session",
    "allowed session",
    "allowed session",
    "allowed session",
  ]);
  expect(JSON.stringify(server.requests.map(({ body }) => body))).not.toContain("allowed");
});

test("what is refused does not run; the model hears why, and a tool that must ask never runs unasked", async () => {
  let runs = 0;
  const counted = {
    ...touch,
    run: () => {
      runs += 1;
      return "run";
    },
  };
  const server = await serve([...called(1), { text: "Oh." }]);
  const model = modelAt(server.url, "openai");
  const refusing = await agentWith({
    model,
    tools: [counted],
    approve: () => ({ decision: "no", reason: "Not on a Friday." }),
  });
  await refusing.session.prompt("Touch");
  expect(server.requests[1]!.atoms.at(-1)!.text).toBe(
    "The user did not allow it: Not on a Friday.",
  );
  const unasked = await serve([...called(1), { text: "Oh." }]);
  const alone = await agentWith({
    model: modelAt(unasked.url, "openai"),
    tools: [{ ...counted, asks: true }],
  });
  await alone.session.prompt("Touch");
  expect(unasked.requests[1]!.atoms.at(-1)!.text).toContain("Nobody could be asked.");
  expect(runs).toBe(0);
});

test("an agent talks in any store", async () => {
  const server = await serve([...called(1), { text: "Done." }, { text: "Twice." }]);
  const store = new MemoryStore();
  const manager = await AsyncSessionManager.create(temporaryFolder(), { store });
  const { createAgentSession } = await import("../../src/loop/agent-session.ts");
  const model = modelAt(server.url, "gemini");
  const { session } = await createAgentSession({ model, tools: [touch], sessionManager: manager });
  await session.prompt("Touch");
  await session.prompt("How often?");
  expect(server.requests.flatMap(brokenRules)).toEqual([]);
  expect(server.requests[2]!.atoms.map(({ kind }) => kind)).toEqual([
    "user",
    "call",
    "result",
    "assistant",
    "user",
  ]);
  await session.close();
  await manager.close();
});

test("a session of another agent, with thinking and images, goes on with any model", async () => {
  const folder = temporaryFolder();
  const manager = SessionManager.create(folder, folder);
  const source = { kind: "base64", data: "iVBORw0KGgo=" } as const;
  const image = { type: "image", mediaType: "image/png", source } as const;
  const bodies: readonly EventBody[] = [
    { type: "system", content: "You are somebody else." },
    { type: "user", content: [{ type: "text", text: "Look" }, image] },
    { type: "thinking", content: "Hm.", signature: "sig", model: "other-1" },
    { type: "assistant", content: "A dot.", model: "other-1" },
  ];
  await manager.appendAll(bodies);
  const server = await serve([{ text: "Yes." }]);
  const { session } = await agentWith({
    model: modelAt(server.url, "anthropic"),
    sessionManager: manager,
    systemPrompt: "You are you.",
  });
  await session.prompt("Sure?");
  const [request] = server.requests;
  expect(brokenRules(request!)).toEqual([]);
  const text = JSON.stringify(request!.body);
  expect(text).toContain("You are you.");
  expect(text).not.toContain("somebody else");
  expect(text).not.toContain('"thinking"');
  expect(text).toContain("iVBORw0KGgo=");
});
