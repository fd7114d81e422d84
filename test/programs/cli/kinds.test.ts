import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findSessions } from "../../../src/agents/find-sessions.ts";
import { resolveReference } from "../../../src/agents/reference.ts";
import { notesHandover } from "../../../src/context/handover.ts";
import { planConversion } from "../../../src/convert/convert.ts";
import type { SessionEvent } from "../../../src/model/event.ts";
import { listText } from "../../../src/programs/cli/render/list-text.ts";
import { coloursFor } from "../../../src/programs/cli/terminal/colours.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { commandsIn } from "./in-process.ts";
import { environment, scriptedAgent } from "./scripted-agent.ts";

const id = "3f9a1c2b-0000-4000-8000-000000000001";
const chats = scriptedAgent("chats", [{ head: { session: id, title: "Rate limit the API" } }]);
const keeper = scriptedAgent("keeper", [
  {
    head: { session: id, kind: "state", updatedAt: "2026-11-12T10:00:00.000Z", title: "dev" },
    bodies: [{ type: "note", content: "# Goal\n- Ship it" }],
  },
]);
const search = { agents: [chats, keeper], env: environment() };

test("a list says what holds no conversation, and can be asked for one kind", () => {
  const sessions = findSessions(search);
  const out = { isTerminal: false, columns: 80 };
  const text = listText(sessions, {
    env: search.env,
    colours: coloursFor({}, { isTerminal: false }),
    nowMs: Date.parse("2026-11-18T10:00:00.000Z"),
    out,
    total: sessions.length,
  });
  expect(text).toMatch(/keeper .* state +dev/);
  expect(findSessions(search, { kind: "state" }).map(({ head }) => head.agent)).toEqual(["keeper"]);
  expect(findSessions(search, { kind: "conversation" })).toHaveLength(1);
});

test("an id that a program's state shares with its session means the session, and so does @last", () => {
  expect(resolveReference("3f9a", search).agent.name).toBe("chats");
  expect(resolveReference("@last", search).agent.name).toBe("chats");
  expect(resolveReference("keeper:3f9a", search).head.kind).toBe("state");
});

test("what holds no conversation is not converted, and the hint says how to hand it over", async () => {
  const { agent, ref, head } = resolveReference("keeper:3f9a", search);
  const request = { source: { agent, ref }, head, target: chats, env: search.env };
  await expect(planConversion(request)).rejects.toMatchObject({
    code: "unsupported",
    hint: expect.stringContaining(`reprise handoff keeper:${id}`),
  });
});

test("no command is printed that would refuse to continue what holds no conversation", async () => {
  const home = temporaryFolder();
  cpSync(join(import.meta.dirname, "..", "..", "fixtures", "synapse", "4.4.6", "project"), home, {
    recursive: true,
  });
  const run = commandsIn(home);
  for (const into of [[], ["--in", "codex"]]) {
    const { text, code } = await run("resume", "synapse:7c9e6679", ...into, "--print");
    expect([text, code]).toEqual(["", "unsupported"]);
  }
});

test("notes, tasks, agents and files become a page to hand over, within its budget", () => {
  const at = "2026-11-12T10:00:00.000Z";
  const path: readonly SessionEvent[] = [
    { id: 1, at, type: "note", content: "## Goal\n\nShip it" },
    { id: 2, at, type: "task", task: "t1", title: "Write the test", status: "done" },
    { id: 3, at, type: "agent", name: "dev", status: "active" },
    { id: 4, at, type: "file", path: "src/a.ts", action: "modified" },
  ];
  const page = notesHandover(path);
  expect(page).toContain("### Goal\nShip it\n- Task Write the test: done\n- Agent dev: active");
  expect(page).toContain("- File src/a.ts");
  expect(notesHandover(path, { budgetTokens: 50 }).length).toBeLessThanOrEqual(200);
  expect(notesHandover([])).toBe("");
});
