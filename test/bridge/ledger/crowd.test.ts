import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { keptIn } from "../../../src/bridge/ledger/kept.ts";
import { ledgerPlaces, projectPlaces } from "../../../src/bridge/ledger/places.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";

const hook = new URL("../../../dist/bin/reprise-hook.cjs", import.meta.url).pathname;
let home: string;
let cwd: string;

beforeEach(() => {
  home = temporaryFolder();
  cwd = join(home, "acme-api");
  mkdirSync(join(cwd, ".git"), { recursive: true });
});

function runHook(payload: object): Promise<number | null> {
  return new Promise((resolve) => {
    const env = { PATH: process.env["PATH"], HOME: home, REPRISE_NO_DRAIN: "1" };
    const child = spawn(process.execPath, [hook, "claude-code"], { env });
    child.on("close", resolve);
    child.stdin.end(JSON.stringify({ session_id: "s1", cwd, ...payload }));
  });
}

test("many hooks at once and a person in between leave one whole page, and none of their lines is lost", async () => {
  expect(existsSync(hook)).toBe(true);
  const project = projectPlaces(join(home, ".reprise"), cwd);
  const places = ledgerPlaces(project, { agent: "claude-code", session: "s1" });
  // However loaded the machine: what is proven is the order of writes, not the deadline.
  mkdirSync(join(home, ".reprise", "bridge"), { recursive: true });
  writeFileSync(join(home, ".reprise", "bridge", "settings.json"), '{"workMs":20000}');
  await runHook({ hook_event_name: "UserPromptSubmit", prompt: "Move the port." });
  for (let round = 0; round < 3; round += 1) {
    const page = readFileSync(places.ledger, "utf8");
    writeFileSync(places.ledger, page.replace("## Goal\n", `Mine ${round}\n\n## Goal\n`));
    const codes = await Promise.all(
      Array.from({ length: 10 }, (_, number) =>
        runHook({
          hook_event_name: "Stop",
          last_assistant_message: `We decided on ${round}-${number} because it is simple.`,
        }),
      ),
    );
    expect(new Set(codes)).toEqual(new Set([0]));
  }
  const page = readFileSync(places.ledger, "utf8");
  for (let round = 0; round < 3; round += 1) expect(page.split(`Mine ${round}\n`)).toHaveLength(2);
  expect(page).toContain("## Goal\n\nMove the port.\n");
  const decided = page.match(/^- We decided on \d-\d because it is simple\.$/gm) ?? [];
  expect(new Set(decided).size).toBe(decided.length);
  expect(decided.length).toBeGreaterThan(0);
  // What is remembered as ours is exactly what is ours in the page.
  const ours = keptIn(readFileSync(places.kept, "utf8")).lines.map(({ text }) => text);
  expect(ours.filter((line) => !page.split("\n").includes(line))).toEqual([]);
  expect(readdirSync(places.folder).sort()).toEqual(["kept.json", "ledger.md", "outside"]);
});
