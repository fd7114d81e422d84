import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { putFixture } from "./agents-home.ts";
import { type Machine, machine } from "./program.ts";

/** What a real agent wrote, where it goes, and the folder to remove to be rid of it. */
const stores: readonly (readonly [fixture: string, into: string, folder: string])[] = [
  ["claude-code/2.1.325/tools", "", ".claude"],
  ["codex/0.166.0/tools", "", ".codex"],
  ["gemini-cli/0.61.0/tools", "", ".gemini"],
  ["gemini-cli/0.15.4/tools", "", ".gemini"],
  ["opencode/1.18.33/plain", "", ".local"],
  ["pi/0.73.1/tools", ".pi/agent/sessions/--home-dev-acme-api--", ".pi"],
];

function totals(here: Machine): readonly [messages: number, total: number] {
  const { totals } = here.json("stats") as unknown as {
    totals: { messages: number; tokens: { total: number } };
  };
  return [totals.messages, totals.tokens.total];
}

/** Imports the only session there is; tells what the import is called. */
function importOnly(here: Machine): string {
  const { sessions } = here.json("list", "--all") as unknown as {
    sessions: readonly { agent: string; session: string }[];
  };
  const [only] = sessions.filter(({ agent }) => agent !== "reprise");
  return here.json("import", `${only!.agent}:${only!.session}`)["session"] as string;
}

describe("an imported session", () => {
  for (const [fixture, into, folder] of stores) {
    test(`of ${fixture} counts where it came from, and in the import when that is gone`, () => {
      const here = machine();
      putFixture(here, fixture, into);
      const before = totals(here);
      expect(before[1]).toBeGreaterThan(0);
      importOnly(here);
      expect(totals(here)).toEqual(before);
      // A second import of the same session adds nothing either, whoever is left to count.
      importOnly(here);
      expect(totals(here)).toEqual(before);
      rmSync(join(here.home, folder), { recursive: true });
      const [messages, total] = totals(here);
      expect(messages).toBeGreaterThan(0);
      expect(messages).toBeLessThanOrEqual(before[0]);
      expect(total).toBeGreaterThan(0);
      expect(total).toBeLessThanOrEqual(before[1]);
      putFixture(here, fixture, into);
      expect(totals(here)).toEqual(before);
    });
  }

  test("that was exported counts once beside its source, and by itself on another machine", () => {
    const here = machine();
    putFixture(here, "claude-code/2.1.325/tools");
    const before = totals(here);
    const imported = importOnly(here);
    const file = join(here.home, "exported.json");
    expect(
      here.run("export", `reprise:${imported}`, "--format", "json", "--output", file).status,
    ).toBe(0);
    expect(here.run("import", file).status).toBe(0);
    expect(totals(here)).toEqual(before);
    const there = machine();
    expect(there.run("import", file).status).toBe(0);
    expect(totals(there)).toEqual(before);
    expect(there.run("import", file).status).toBe(0);
    expect(totals(there)).toEqual(before);
  });
});
