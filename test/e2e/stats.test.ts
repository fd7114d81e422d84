import { describe, expect, test } from "vitest";
import { putClaudeSession, putFixture } from "./agents-home.ts";
import { machine } from "./program.ts";

describe("reprise stats", () => {
  test("prints a table, CSV and JSON of the same numbers", () => {
    const here = machine();
    putFixture(here, "claude-code/2.1.325/tools");
    putFixture(here, "codex/0.166.0/resumed");
    const json = here.json("stats", "--by", "agent");
    const groups = json["groups"] as readonly { key: string; tokens: { input: number } }[];
    expect(groups.map(({ key, tokens }) => [key, tokens.input])).toEqual([
      ["codex", 52560],
      ["claude-code", 18286],
    ]);
    const table = here.run("stats", "--by", "agent");
    expect(table.stdout).toContain("52,560");
    expect(table.stderr).toContain("list prices of");
    const csv = here.run("stats", "--by", "agent", "--csv").stdout.trim().split("\n");
    expect(csv).toHaveLength(3);
    expect(csv[1]).toMatch(/^codex,codex,\d+,52560,464,0,0,12,53024,0\.276720,$/);
  });

  test("filters by agent, model, project, days", () => {
    const here = machine();
    putFixture(here, "claude-code/2.1.325/tools");
    putFixture(here, "codex/0.166.0/resumed");
    const input = (...args: string[]): number => {
      const totals = here.json("stats", ...args)["totals"] as { tokens: { input: number } };
      return totals.tokens.input;
    };
    expect(input("--agent", "codex")).toBe(52560);
    expect(input("--model", "OPUS")).toBe(18286);
    expect(input("--project", "acme")).toBe(70846);
    expect(input("--project", "nowhere")).toBe(0);
    expect(input("--here")).toBe(0);
    expect(input("--until", "2026-11-14")).toBe(0);
    expect(input("--since", "2026-11-15", "--until", "2026-11-15", "--timezone", "UTC")).toBe(
      70846,
    );
    expect(input("--since", "2026-11", "--until", "2026-11")).toBe(70846);
    expect(input("--until", "2026-10")).toBe(0);
  });

  test("says of a week or a month that the span cuts how many of its days are counted", () => {
    const here = machine();
    putFixture(here, "codex/0.166.0/resumed");
    const groups = (...args: string[]): unknown =>
      (here.json("stats", "--timezone", "UTC", ...args)["groups"] as object[]).map((group) => {
        const { key, days } = group as { key: string; days?: number };
        return { key, days };
      });
    const month = ["--by", "month", "--since", "2026-11", "--until", "2026-11"];
    expect(groups(...month)).toEqual([{ key: "2026-11", days: undefined }]);
    const cut = ["--by", "week", "--since", "2026-11-14", "--until", "2026-11"];
    expect(groups(...cut)).toEqual([{ key: "2026-11-09", days: 2 }]);
    expect(here.run("stats", "--timezone", "UTC", ...cut).stdout).toContain(
      "\n2026-11-09 (2 days)  ",
    );
    const one = ["--by", "month", "--since", "2026-11-15", "--until", "2026-11-15"];
    expect(here.run("stats", "--timezone", "UTC", ...one).stdout).toContain("\n2026-11 (1 day)  ");
  });

  test("shows no number for what an agent did not record, and says that the cost is a minimum", () => {
    const here = machine();
    putClaudeSession(here, { id: "s1" }, [
      {
        record: {
          type: "assistant",
          requestId: "r1",
          timestamp: "2026-11-15T10:00:00.000Z",
          message: {
            id: "m1",
            role: "assistant",
            model: "claude-sonnet-4-5-20250929",
            content: [{ type: "text", text: "hi" }],
            usage: { input_tokens: 0, output_tokens: 2000 },
          },
        },
      },
    ]);
    const { stdout, stderr } = here.run("stats", "--by", "model");
    expect(stdout).toMatch(/\nclaude-sonnet-4-5-20250929 +- +2,000 +- +- +~\$0\.03\+\n/);
    expect(stderr).toContain("the cost is a minimum (+), and a - was not recorded.");
    expect(stderr).toContain(
      "Cost is what the agents recorded. Where they recorded none, it is computed (~) from list prices",
    );
  });

  test("marks a cost that was computed, and none that the agent recorded", () => {
    const here = machine();
    const record = (model: string, more: object) => ({
      record: {
        type: "assistant",
        requestId: model,
        timestamp: "2026-11-15T10:00:00.000Z",
        message: {
          id: model,
          role: "assistant",
          model,
          content: [{ type: "text", text: "hi" }],
          usage: { input_tokens: 1000, output_tokens: 2000 },
        },
        ...more,
      },
    });
    putClaudeSession(here, { id: "s1" }, [
      record("claude-sonnet-4-5-20250929", {}),
      record("claude-opus-4-5-20251101", { costUSD: 4 }),
    ]);
    const { stdout } = here.run("stats", "--by", "model");
    expect(stdout).toMatch(/\nclaude-opus-4-5-20251101 .* {2}\$4\.00\n/);
    expect(stdout).toMatch(/\nclaude-sonnet-4-5-20250929 .* ~\$0\.03\n/);
    expect(stdout).toMatch(/\nTotal .* ~\$4\.03\n/);
    const session = here.run("stats", "--session", "s1");
    expect(session.stdout).toContain("~$0.03");
    expect(session.stderr).toContain("it is computed (~) from list prices");
  });

  test("takes yesterday for a whole day of the report's time zone", () => {
    const day = 24 * 3600_000;
    const hours = { UTC: 0, "Pacific/Kiritimati": 14, "Pacific/Pago_Pago": -11 };
    for (const [zone, ahead] of Object.entries(hours)) {
      const here = machine();
      const midnight = Math.floor((Date.now() + ahead * 3600_000) / day) * day;
      const yesterday = new Date(midnight - day).toISOString().slice(0, 10);
      const noon = midnight - day / 2 - ahead * 3600_000;
      const ageMinutes = Math.round((Date.now() - noon) / 60_000);
      putClaudeSession(here, { id: "s1", ageMinutes }, [{ user: "hello", says: "hi" }]);
      const days = (...args: readonly string[]): readonly string[] =>
        (here.json("stats", "--timezone", zone, ...args)["groups"] as { key: string }[]).map(
          ({ key }) => key,
        );
      expect(days("--since", "yesterday", "--until", "Yesterday")).toEqual([yesterday]);
      expect(days("--since", "today")).toEqual([]);
    }
  });

  test("shows where the context of a session went", () => {
    const here = machine();
    putFixture(here, "claude-code/2.1.325/subagent");
    const shown = here.run("stats", "--session", "56d0e7da");
    expect(shown.status, shown.stderr).toBe(0);
    expect(shown.stdout).toContain("With 1 subagent.");
    expect(shown.stdout).toContain("estimated");
    const json = here.json("stats", "--session", "56d0e7da");
    const usage = json["usage"] as { tokens: { input: number } };
    expect(usage.tokens.input).toBe(11037);
    const context = json["context"] as { shares: readonly { name: string; tokens: number }[] };
    expect(context.shares.map(({ name }) => name)).toContain("tool results");
  });

  test("says clearly what is wrong with what was asked", () => {
    const here = machine();
    expect(here.run("stats", "--by", "moon").status).toBe(2);
    expect(here.run("stats", "--agent", "nobody").status).toBe(2);
    expect(here.run("stats", "--timezone", "Mars/Olympus").stderr).toContain("no time zone");
    expect(here.run("stats", "--since", "2026-02-xx").status).toBe(2);
    expect(here.run("stats", "--prices", "none.json").stderr).toContain("it is not there");
    expect(here.run("stats", "--session", "nothing").status).toBe(3);
    const empty = here.run("stats");
    expect([empty.status, empty.stdout]).toEqual([0, "No usage.\n"]);
  });
});
