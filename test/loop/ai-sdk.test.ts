import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { expect, test } from "vitest";
import { createAgentSession } from "../../src/loop/agent-session.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import { agentWith, serve, toldText } from "./agent.ts";
import { brokenRules } from "./model-server.mjs";

const add = {
  name: "add",
  description: "Adds two numbers.",
  parameters: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
  },
  run: ({ a, b }: Readonly<Record<string, unknown>>) => String(Number(a) + Number(b)),
};

test.each(["anthropic", "openai-compatible"] as const)(
  "a model object of an AI SDK provider is asked as it is: %s",
  async (provider) => {
    const server = await serve([
      { text: "Let me add.", calls: [{ name: "add", input: { a: 2, b: 3 } }] },
      { text: "It is 5." },
      { text: "Yes." },
    ]);
    const baseURL = `${server.url}/v1`;
    const model =
      provider === "anthropic"
        ? createAnthropic({ baseURL, apiKey: "key" })("stub-1")
        : createOpenAICompatible({ name: "stub", baseURL, includeUsage: true })("stub-1");
    const { session, told } = await agentWith({ model, tools: [add], systemPrompt: "Be brief." });
    const end = await session.prompt("What is 2 + 3?");
    expect(end).toMatchObject({ reason: "done", text: "It is 5.", steps: 2 });
    expect(end.usage).toMatchObject({ input: 200, output: 40 });
    expect(toldText(told)).toBe("Let me add.It is 5.");
    await session.prompt("Sure?");
    expect(server.requests.flatMap(brokenRules)).toEqual([]);
    expect(server.requests.at(-1)!.atoms.map(({ kind }) => kind)).toEqual([
      "user",
      "assistant",
      "call",
      "result",
      "assistant",
      "user",
    ]);
  },
);

test("a name alone is no model: it would go to a hosted gateway", async () => {
  const sessionManager = SessionManager.inMemory();
  const model = "anthropic/claude-sonnet-4-5" as unknown as Parameters<
    typeof createAgentSession
  >[0]["model"];
  await expect(createAgentSession({ model, sessionManager })).rejects.toMatchObject({
    code: "bad_input",
  });
  await sessionManager.close();
});
