import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { claudeCodeHooks as hooks } from "../../../src/agents/claude-code/hooks.ts";
import { ledgerPlaces, projectPlaces } from "../../../src/bridge/ledger/places.ts";
import { processEvent } from "../../../src/bridge/process.ts";
import { appendTeam } from "../../../src/bridge/team/log.ts";
import type { BridgeEvent, BridgeEventKind } from "../../../src/model/bridge-event.ts";
import { withoutInjected } from "../../../src/model/injected.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";

let home: string;
let cwd: string;

beforeEach(() => {
  home = temporaryFolder();
  cwd = join(home, "acme-api");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  // However loaded the machine: what is proven here is not the deadline.
  mkdirSync(join(home, "bridge"));
  writeFileSync(join(home, "bridge", "settings.json"), '{"workMs":20000}');
});

function event(kind: BridgeEventKind, more: Partial<BridgeEvent> = {}): BridgeEvent {
  return { kind, agent: "claude-code", session: "s1", name: kind, cwd, ...more };
}

/** What the model is given at an event, without what the agent needs around it. */
async function given(kind: BridgeEventKind, more: Partial<BridgeEvent> = {}): Promise<string> {
  const { output } = await processEvent(event(kind, more), { root: join(home, "bridge"), hooks });
  if (output === "") return "";
  const parsed = JSON.parse(output) as { hookSpecificOutput: { additionalContext: string } };
  const text = parsed.hookSpecificOutput.additionalContext;
  expect(withoutInjected(text)).toBe("");
  return text;
}

function places(session = "s1") {
  return ledgerPlaces(projectPlaces(home, cwd), { agent: "claude-code", session });
}

function page(session = "s1"): string {
  return readFileSync(places(session).ledger, "utf8");
}

async function work(session = "s1"): Promise<void> {
  await given("session_start", { source: "startup", session });
  await given("prompt", {
    session,
    prompt: "Move the API to port 9090. Never touch the old config files.",
  });
  await given("tool_after", {
    session,
    tool: "Edit",
    files: [join(cwd, "src/config.ts")],
    tasks: [
      { name: "Change the constant", status: "active" },
      { name: "Update the README", status: "open" },
    ],
  });
  await given("stop", {
    session,
    answer:
      "I decided to keep one constant because tests read it too. Should the old port redirect?",
  });
}

describe("a ledger that is kept from events", () => {
  test("says goal, constraints, work, decisions, questions and files", async () => {
    await work();
    expect(page()).toBe(`# Ledger
Session: claude-code:s1

## Goal

Move the API to port 9090. Never touch the old config files.

## Constraints

- Never touch the old config files.

## Now

- [ ] Change the constant

## Next

- [ ] Update the README

## Decisions

- I decided to keep one constant because tests read it too.

## Open questions

- Should the old port redirect?

## Files

- src/config.ts
`);
  });

  test("follows the work, and forgets a question once it is answered", async () => {
    await work();
    await given("prompt", { prompt: "Yes, for a year." });
    await given("tool_after", {
      tool: "TodoWrite",
      tasks: [
        { name: "Change the constant", status: "done" },
        { name: "Update the README", status: "active" },
      ],
    });
    await given("stop", { answer: "Done." });
    expect(page()).toContain("## Done\n\n- [x] Change the constant\n");
    expect(page()).toContain("## Now\n\n- [ ] Update the README\n");
    expect(page()).not.toContain("redirect");
  });

  test("finds the goal in the transcript where the first prompt's hook was missed", async () => {
    const transcript = join(home, "s1.jsonl");
    const record = {
      type: "user",
      message: { role: "user", content: "Move the API to port 9090." },
    };
    writeFileSync(transcript, `${JSON.stringify(record)}\n`);
    await given("stop", { answer: "Done.", transcript });
    expect(page()).toContain("## Goal\n\nMove the API to port 9090.\n");
  });

  test("never holds a secret that was typed", async () => {
    const secret = ["ghp", "0123456789abcdefghijABCDEFGHIJ456789"].join("_");
    await given("prompt", { prompt: `Use the token ${secret} to publish.` });
    expect(page()).not.toContain(secret);
    expect(page()).toContain("Use the token [secret:");
  });

  test("never holds a secret that stands in a task or a path, nor does the hand-off hold half of one", async () => {
    const secret = ["ghp", "0123456789abcdefghijABCDEFGHIJ456789"].join("_");
    const long = "publish ".repeat(23);
    await given("prompt", { prompt: "Publish it." });
    await given("tool_after", {
      tool: "Bash",
      command: `${"\n".repeat(184)} ${secret}`,
      files: [join(cwd, `${secret}.txt`)],
      tasks: [
        { name: `Use the token ${secret}`, status: "open" },
        { name: `${long}${secret}`, status: "active" },
      ],
    });
    await given("pre_compact", { reason: "manual" });
    for (const text of [page(), readFileSync(places().handoff, "utf8")]) {
      expect(text).toContain("Use the token [secret:");
      expect(text).toContain(".txt");
      expect(text).toContain(`${long.trim()}`);
      expect(text).not.toContain(secret.slice(0, 12));
    }
  });

  test("stays as a person left it, and what they add reaches the model once", async () => {
    await work();
    const edited = page().replace(
      "## Decisions\n",
      "## Decisions\n\n- The health check keeps port 8080\n",
    );
    writeFileSync(places().ledger, edited);
    const told = await given("prompt", { prompt: "Go on." });
    expect(told).toContain("- decision: The health check keeps port 8080");
    expect(told).not.toContain("one constant");
    await given("stop", { answer: "Fine." });
    expect(page()).toContain("- The health check keeps port 8080\n");
    expect(await given("prompt", { prompt: "And on." })).toBe("");
    writeFileSync(
      places().ledger,
      page().replace("## Next\n", "## Next\n\n- [ ] Tell the ops team\n"),
    );
    const more = await given("prompt", { prompt: "What else?" });
    expect(more).toContain("- next: Tell the ops team");
    expect(more).not.toContain("health check");
  });
});

describe("what a model is given", () => {
  test("stays where a person put it, linked", async () => {
    await given("prompt", { prompt: "Move the API to port 9090." });
    const elsewhere = join(home, "notes.md");
    renameSync(places().ledger, elsewhere);
    symlinkSync(elsewhere, places().ledger);
    await given("prompt", { prompt: "Never touch the old config files." });
    expect(lstatSync(places().ledger).isSymbolicLink()).toBe(true);
    expect(readFileSync(elsewhere, "utf8")).toContain("Never touch the old config files.");
    expect(readdirSync(home).toSorted()).toEqual(["acme-api", "bridge", "ledgers", "notes.md"]);
  });

  test("a new session is told where the last one stopped, once", async () => {
    await work();
    const told = await given("session_start", { source: "startup", session: "s2" });
    expect(told).toContain("# Where the last session stopped");
    expect(told).toContain("Move the API to port 9090");
    expect(told).toContain("- [ ] Update the README");
    expect(told).not.toContain("src/config.ts");
    expect(await given("prompt", { prompt: "Hello", session: "s2" })).toBe("");
  });

  test("a question that was asked in passing does not push away where the work stopped", async () => {
    await work();
    await given("session_start", { source: "startup", session: "aside" });
    await given("prompt", { session: "aside", prompt: "What is a port?" });
    await given("stop", {
      session: "aside",
      answer: "A number, because programs share an address.",
    });
    expect(await given("session_start", { source: "startup", session: "s2" })).toContain(
      "Move the API to port 9090",
    );
  });

  test("of a session whose agent was killed in a turn, what it had changed until then is told", async () => {
    await work();
    await given("prompt", { prompt: "Go on." });
    await given("tool_after", {
      tool: "TodoWrite",
      files: [join(cwd, "src/killed.ts")],
      tasks: [
        { name: "Change the constant", status: "done" },
        { name: "Update the README", status: "active" },
        { name: "Tell the users", status: "open" },
      ],
    });
    expect(page()).not.toContain("killed.ts");
    const told = await given("session_start", { source: "startup", session: "s2" });
    expect(told).toContain("## Next\n\n- [ ] Tell the users");
    expect(page()).toContain("- src/killed.ts\n");
  });

  test("with little room left after a compaction the hand-off still comes back", async () => {
    await work();
    await given("pre_compact", {
      reason: "auto",
      usage: { contextTokens: 190_000, windowTokens: 200_000 },
    });
    await given("post_compact");
    const usage = { contextTokens: 130_000, windowTokens: 200_000 };
    const told = await given("prompt", { prompt: "Go on.", usage });
    expect(told).toContain("# Hand-off");
    expect(told).toContain("# Keep in mind");
  });

  test("a page that cannot be read or is too large costs no event its place, and is left alone", async () => {
    await work();
    const huge = "x".repeat(300_000);
    writeFileSync(places().ledger, huge);
    await given("prompt", { prompt: "You must go on." });
    await given("stop", { answer: "I decided nothing because of that." });
    expect(page()).toBe(huge);
    rmSync(places().ledger);
    mkdirSync(places().ledger);
    await given("stop", { answer: "Fine." });
    const state = await processEvent(event("prompt", { prompt: "And on." }), {
      root: join(home, "bridge"),
      hooks,
    });
    expect(state.promptCount).toBe(3);
  });

  test("a session that was resumed knows its own past: nothing is said again", async () => {
    await work();
    expect(await given("session_start", { source: "resume" })).toBe("");
  });

  test("after a compaction the hand-off comes back, made of the transcript's end, once", async () => {
    const transcript = join(home, "s1.jsonl");
    const line = (role: string, content: unknown) =>
      `${JSON.stringify({ type: role, message: { role, content } })}\n`;
    writeFileSync(transcript, line("user", "Move the API to port 9090."));
    appendFileSync(transcript, line("assistant", [{ type: "text", text: "The port is moved." }]));
    appendFileSync(transcript, line("user", [{ type: "tool_result", content: "ok" }]));
    appendFileSync(transcript, line("user", "Now write the migration notes."));
    await work();
    await given("pre_compact", { reason: "manual", transcript });
    const handoff = readFileSync(places().handoff, "utf8");
    expect(handoff).toContain("## Last request\n\n> Now write the migration notes.");
    expect(handoff).toContain("> The port is moved.");
    expect(handoff).toContain("- [ ] Change the constant (now)");
    const told = await given("session_start", { source: "compact", transcript });
    expect(told).toContain("> Now write the migration notes.");
    expect(told).toContain("- Never touch the old config files.");
    expect(await given("prompt", { prompt: "Go on." })).toBe("");
  });

  test("in a nearly full context only what is pinned and open", async () => {
    await work();
    writeFileSync(places().ledger, page().replace("- I decided", "- (pinned) We decided"));
    const usage = { contextTokens: 130_000, windowTokens: 200_000 };
    const told = await given("prompt", { prompt: "Go on.", usage });
    expect(told).toContain("# Keep in mind");
    expect(told).toContain("- (pinned) We decided to keep one constant");
    expect(told).toContain("- [ ] Update the README");
    expect(told).not.toContain("src/config.ts");
  });

  test("the next agent is told what the one before left for it", async () => {
    const project = projectPlaces(home, cwd);
    const at = new Date().toISOString();
    appendTeam(project, { kind: "task", at, task: "implement", status: "done", agent: "dev" });
    appendTeam(project, {
      kind: "handover",
      at,
      from: "dev",
      to: "qa",
      note: "Look at the retries",
    });
    const told = await given("session_start", { source: "startup", session: "s3" });
    expect(told).toContain("- dev to qa: Look at the retries");
    expect(told).toContain("- Workflow feature: implemented");
    expect(told).toContain("- Usually next: test (qa)");
  });
});
