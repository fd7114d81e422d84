import { expect, test } from "vitest";
import { findSessions } from "../../../../src/agents/find-sessions.ts";
import { shortIds } from "../../../../src/agents/reference.ts";
import { listText } from "../../../../src/programs/cli/render/list-text.ts";
import { colours } from "../../../../src/programs/cli/terminal/colours.ts";
import { textWidth } from "../../../../src/programs/cli/terminal/width.ts";
import { environment, scriptedAgent } from "../scripted-agent.ts";
import { hostileHead } from "./hostile.ts";

const agent = scriptedAgent("codex", [
  {
    head: {
      session: "parent",
      title: "Main work",
      cwd: "/p/api",
      updatedAt: "2026-11-10T10:00:00Z",
    },
  },
  {
    head: {
      session: "between",
      title: "Between",
      cwd: "/p/api",
      updatedAt: "2026-11-10T11:00:00Z",
    },
  },
  {
    head: {
      session: "child",
      title: "Helper",
      cwd: "/p/api",
      updatedAt: "2026-11-10T12:00:00Z",
      relation: { kind: "subagent", session: "parent" },
    },
  },
  { head: { ...hostileHead, agent: "codex", session: "evil" } },
]);
const search = { agents: [agent], env: environment() };
const nowMs = Date.parse("2026-11-10T13:00:00Z");

function shown(columns: number | undefined): readonly string[] {
  const sessions = findSessions(search, { subagents: true });
  const out = { isTerminal: columns !== undefined, columns: columns ?? 80 };
  const options = { env: search.env, colours: colours(false), nowMs, out, total: 9 };
  return listText(sessions, options).split("\n");
}

test("a subagent stands right under the session it worked for", () => {
  const rows = shown(undefined).filter((line) => /^ {2}(parent|between|child) /.test(line));
  expect(rows.map((line) => line.trim().split(/\s+/)[0])).toEqual(["between", "parent", "child"]);
  expect(rows[2]).toContain("└ Helper");
});

test("rows fit the terminal, whatever a title holds", () => {
  for (const columns of [40, 60, 80, 120, 200]) {
    for (const line of shown(columns)) {
      expect(textWidth(line)).toBeLessThanOrEqual(columns);
      expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    }
  }
});

test("prompts and lines are shown if asked for, and a narrow terminal keeps the title beside them", () => {
  const sessions = findSessions(search, { subagents: true });
  const work = new Map(
    sessions.map(({ head }, at) => [
      head,
      at === 0 ? { prompts: 1 } : { prompts: 12, lines: { added: 1234, removed: 5 } },
    ]),
  );
  const rows = (columns: number | undefined, asked: object): readonly string[] => {
    const out = { isTerminal: columns !== undefined, columns: columns ?? 80 };
    const options = { env: search.env, colours: colours(false), nowMs, out, total: 4, work };
    const text = listText(sessions, { ...options, ...asked });
    return text.split("\n").filter((line) => /^ {2}\S/.test(line));
  };
  const both = { prompts: true, lines: true };
  expect(rows(undefined, {}).join("\n")).not.toContain("prompts");
  expect(rows(undefined, both).join("\n")).toContain(" 12 prompts  +1234 -5  ");
  expect(rows(undefined, both).join("\n")).toContain("  1 prompt            ");
  for (const columns of [40, 60, 80, 200]) {
    for (const line of rows(columns, both)) {
      expect(textWidth(line)).toBeLessThanOrEqual(columns);
      expect(line).toMatch(/ prompts? /);
    }
    expect(rows(columns, both).join("\n")).toContain("Main wo");
  }
});

test("what is left out is counted, and nothing is told as such", () => {
  expect(shown(undefined)).toContain("4 of 9 sessions. All of them: -n 0");
  const options = { env: search.env, colours: colours(false), nowMs, total: 0 };
  expect(listText([], { ...options, out: { isTerminal: false, columns: 80 } })).toBe(
    "No sessions.\n",
  );
});

test("a list with a pinned session says what its star means", () => {
  const options = { env: search.env, colours: colours(false), nowMs, total: 2 };
  const out = { isTerminal: true, columns: 40 };
  const sessions = findSessions(search).slice(0, 2);
  const pinned = sessions.map((one) => ({ ...one, head: { ...one.head, pinned: true } }));
  expect(listText(sessions, { ...options, out })).toMatch(/\n2 sessions\.\n$/);
  expect(listText(pinned, { ...options, out })).toMatch(/\n2 sessions\.\n\* pinned\n$/);
});

test("the part of an id that is shown names one session alone", () => {
  const ids = [
    "01a1e142-e143-70b0-bdc9-0df917e16745",
    "01a1e142-e143-70b1-bdc9-0df917e16745",
    "5a3e1c0f-7b64-4d0e-9c55-2f1f6a7d9e10",
  ];
  expect([...shortIds(ids).values()]).toEqual([
    "01a1e142-e143-70b0",
    "01a1e142-e143-70b1",
    "5a3e1c0f",
  ]);
});
