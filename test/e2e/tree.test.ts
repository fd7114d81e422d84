import { describe, expect, test } from "vitest";
import { treeText } from "../../src/programs/cli/render/tree-text.ts";
import { colours } from "../../src/programs/cli/terminal/colours.ts";
import { textWidth } from "../../src/programs/cli/terminal/width.ts";
import { foundIn, scriptedAgent } from "../programs/cli/scripted-agent.ts";
import { putClaudeSession, putFixture } from "./agents-home.ts";
import { machine } from "./program.ts";

interface Shown {
  readonly ref: string;
  readonly root: string;
  readonly sessions: readonly {
    readonly ref: string;
    readonly from?: { readonly kind: string; readonly parent: string; readonly event?: string };
    readonly gone?: true;
    readonly marks: readonly {
      readonly kind: string;
      readonly event: string;
      readonly leaf?: string;
      readonly text?: string;
      readonly events?: number;
    }[];
  }[];
}

describe("reprise tree", () => {
  test("follows a session through a rewind, a fork and into another agent", () => {
    const here = machine();
    const native = here.run("new", "--title", "Tree").stdout.trim();
    const input = ["one", "two"]
      .flatMap((text) => [
        JSON.stringify({ role: "user", content: text }),
        JSON.stringify({ role: "assistant", content: `${text} is done` }),
      ])
      .join("\n");
    expect(here.runWith({ input }, "append", native).status).toBe(0);
    const before = here.json("show", native)["events"] as { number: string }[];
    const last = before.at(-1)!.number;
    const second = before.at(-3)!.number;
    expect(here.run("rewind", `${native}@${second}`, "--yes").status).toBe(0);
    const other = JSON.stringify({ role: "user", content: "another way" });
    expect(here.runWith({ input: other }, "append", native).status).toBe(0);
    const fork = here.run("fork", `${native}@${second}`).stdout.trim();
    const converted = here.json("fork", `${native}@${second}`, "--in", "codex");
    const shown = here.json("tree", fork) as unknown as Shown;
    expect(shown.root).toBe(`reprise:${native}`);
    const own = shown.sessions.find(({ ref }) => ref === `reprise:${native}`)!;
    expect(own.marks).toContainEqual(
      expect.objectContaining({ kind: "branch", event: second, leaf: last, text: "two" }),
    );
    expect(own.marks.map(({ kind }) => kind)).toContain("rewind");
    const from = (ref: string) => shown.sessions.find((one) => one.ref === ref)?.from;
    expect(from(`reprise:${fork}`)).toEqual({
      kind: "fork",
      parent: own.ref,
      event: second,
    });
    expect(from(String(converted["ref"]))).toEqual({
      kind: "conversion",
      parent: own.ref,
      event: second,
    });
    // Whatever is printed can be typed back.
    for (const { ref } of shown.sessions) expect(here.run("show", ref).status).toBe(0);
    expect(here.run("show", `${native}@${last}`).status).toBe(0);
  });

  test("recognises a copy that does not say what it copies, at the last event both have", () => {
    const here = machine();
    putFixture(here, "claude-code/2.1.325/forked-flag");
    const shown = here.json("tree", "3dab3b00") as unknown as Shown;
    expect(shown.sessions.map(({ ref }) => ref.slice(0, 20)).sort()).toEqual([
      "claude-code:3dab3b00",
      "claude-code:a5b84473",
    ]);
    expect(shown.sessions[1]?.from?.kind).toBe("copy");
    // Which of the two is the copy is told by the age of the files.
    const expected = shown.root.includes("3dab3b00") ? "15" : "18";
    expect(shown.sessions[1]?.from?.event).toBe(expected);
  });

  test("tells what a compaction hides from what was left", () => {
    const here = machine();
    putFixture(here, "claude-code/2.1.325/compacted-print");
    putFixture(here, "claude-code/2.1.325/tui-rewind-interrupt");
    const compacted = here.json("tree", "33a2e1d8") as unknown as Shown;
    expect(compacted.sessions[0]?.marks.map(({ kind }) => kind)).toEqual(["compaction"]);
    const rewound = here.json("tree", "a463e22f") as unknown as Shown;
    expect(rewound.sessions[0]?.marks).toMatchObject([
      { kind: "branch", text: "fix the add function" },
    ]);
  });

  test("finds subagents inside a transcript and as sessions of their own", () => {
    const here = machine();
    putFixture(here, "claude-code/2.1.325/subagent");
    putFixture(here, "codex/0.166.0/subagent");
    const inside = here.json("tree", "56d0e7da") as unknown as Shown;
    expect(inside.sessions[0]?.marks).toMatchObject([{ kind: "subagent", events: 14 }]);
    const apart = here.json("tree", "01a1e096-f927") as unknown as Shown;
    expect(apart.sessions.map(({ from }) => from?.kind)).toEqual([undefined, "subagent"]);
    expect(apart.root).toMatch(/^codex:01a1e096-f87b/);
  });

  test("names a session that is gone, and does not run in circles", () => {
    const here = machine();
    const uuid = (digit: string): string => `${digit.repeat(8)}-0000-4000-8000-000000000000`;
    const forkOf = (session: string) => ({
      record: {
        type: "user",
        message: { role: "user", content: "x" },
        forkedFrom: { sessionId: session, messageUuid: "m" },
      },
    });
    putClaudeSession(here, { id: uuid("1") }, [forkOf(uuid("9")), { user: "a", says: "b" }]);
    putClaudeSession(here, { id: uuid("2") }, [forkOf(uuid("3")), { user: "c", says: "d" }]);
    putClaudeSession(here, { id: uuid("3") }, [forkOf(uuid("2")), { user: "e", says: "f" }]);
    const gone = here.json("tree", uuid("1")) as unknown as Shown;
    expect(gone.sessions[0]).toMatchObject({ ref: `claude-code:${uuid("9")}`, gone: true });
    const circle = here.json("tree", uuid("2")) as unknown as Shown;
    expect(circle.sessions).toHaveLength(2);
  });

  test.each([40, 80, 200])("fits a terminal of %i columns, with and without colour", (columns) => {
    const agent = scriptedAgent("claude-code", [
      { head: { session: "5a3e1c0f", title: "日本語 title ".repeat(20) } },
    ]);
    const session = foundIn(agent);
    const mark = { event: "12", text: "\u001b[31mred\u001b[0m ".repeat(30) };
    const child = { key: "codex:gone", from: { kind: "fork", parent: "x" } as const, items: [] };
    const root = {
      key: "claude-code:5a3e1c0f",
      session,
      items: [
        { mark: { kind: "branch", ...mark, events: 3, leaf: "20" } as const },
        { child, event: "14" },
        { mark: { kind: "compaction", event: "15", tokensBefore: 120_000 } as const },
      ],
    };
    for (const enabled of [true, false]) {
      const text = treeText(session, {
        root,
        more: 0,
        prompts: false,
        colours: colours(enabled),
        nowMs: Date.parse("2026-11-18T10:00:00.000Z"),
        out: { isTerminal: true, columns },
        ids: ["5a3e1c0f"],
      });
      expect(text.includes("\u001b")).toBe(enabled);
      const plain = text.replace(/\u001b\[\d+m/g, "");
      for (const line of plain.split("\n")) expect(textWidth(line)).toBeLessThanOrEqual(columns);
      expect(plain).toContain("(gone)");
    }
  });
});
