import { describe, expect, test } from "vitest";
import { putClaudeSession, type Turn } from "./agents-home.ts";
import { type Machine, machine } from "./program.ts";

const id = "99999999-0000-4000-8000-000000000000";

/** A session of ten turns of about 1,250 tokens, whose last message counted so many. */
function longSession(here: Machine, counted: number, model = "claude-opus-4-6"): void {
  const turns: readonly Turn[] = Array.from({ length: 10 }, (_, at) => [
    { user: `${at} ${"long words ".repeat(450)}` },
    {
      record: {
        type: "assistant",
        message: {
          ...{ id: `msg_${at}`, role: "assistant", model },
          content: [{ type: "text", text: "ok" }],
          usage: { input_tokens: counted, output_tokens: 5 },
        },
      },
    },
  ]).flat();
  putClaudeSession(here, { id }, turns);
}

describe("reprise bracket", () => {
  test.each([
    ["codex", 258_400],
    ["gemini-cli", 1_048_576],
    ["claude-code", 200_000],
  ])(
    "a shortened copy for %s is as full as it is, in the window of who will read it",
    (agent, windowTokens) => {
      const here = machine();
      longSession(here, 150_000);
      const { ref } = here.json("fork", id, "--in", agent, "--budget", "5000");
      const look = here.json("bracket", String(ref)) as { readonly tokens: number };
      expect(look).toMatchObject({ windowTokens, from: "estimate", bracket: "FRESH" });
      expect(look.tokens).toBeGreaterThan(3_000);
      expect(look.tokens).toBeLessThan(9_500);
    },
  );

  test("a whole copy for another agent is measured in that agent's window", () => {
    const here = machine();
    longSession(here, 120_000);
    const { ref } = here.json("fork", id, "--in", "gemini-cli");
    const look = here.json("bracket", String(ref));
    expect(look).toMatchObject({ windowTokens: 1_048_576, bracket: "FRESH" });
    expect(look).not.toHaveProperty("model");
  });

  test("a window that nobody knows is reported as assumed", () => {
    const here = machine();
    longSession(here, 1_000, "model-of-tomorrow");
    const { ref } = here.json("fork", id, "--in", "pi");
    const { stdout, stderr } = here.run("bracket", String(ref));
    expect(stdout).toContain("of 200k tokens");
    expect(stderr).toContain("window is not known: 200k is assumed");
    expect(here.json("bracket", String(ref))).toMatchObject({ windowAssumed: true });
  });

  test("a context that is nearly full comes with what to do about it; a fresh one does not", () => {
    const here = machine();
    longSession(here, 140_000);
    const { stdout, stderr } = here.run("bracket", id);
    expect(stdout).toBe(`70 % full (140k of 200k tokens), little room left  claude-code:${id}\n`);
    expect(stderr).toContain(`reprise resume claude-code:${id} --budget 50000`);
    expect(stderr).toContain(`reprise handoff claude-code:${id}`);
    longSession(here, 10_000);
    expect(here.run("bracket", id).stderr).toBe("");
  });

  test("what a budget leaves out is reported as left out by the budget", () => {
    const here = machine();
    longSession(here, 10_000);
    const { stderr, stdout } = here.run("fork", id, "--budget", "5000", "--dry-run");
    expect(`${stdout}${stderr}`).toMatch(/all [\d,]+ tokens do not fit the budget of 5,000$/m);
  });
});
