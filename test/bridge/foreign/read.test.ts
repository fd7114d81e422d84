import { cpSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { notes as aios } from "../../../src/agents/aios/notes.ts";
import { notes as claudeSessions } from "../../../src/agents/claude-sessions/notes.ts";
import { notes as continuousClaude } from "../../../src/agents/continuous-claude/notes.ts";
import {
  sectionsOfHandoff,
  sectionsOfLedger,
} from "../../../src/agents/continuous-claude/sections.ts";
import type { ProjectNotes } from "../../../src/agents/notes-contract.ts";
import { loadNotes } from "../../../src/agents/registry.ts";
import { notes as synapse } from "../../../src/agents/synapse/notes.ts";
import { bySection, foreignNotes } from "../../../src/bridge/foreign/read.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";

const fixtures = new URL("../../fixtures/", import.meta.url).pathname;
const nowMs = Date.now();
let project: string;

beforeEach(() => {
  project = temporaryFolder();
});

function copy(from: string, to: string): void {
  mkdirSync(join(project, to, ".."), { recursive: true });
  cpSync(join(fixtures, from), join(project, to), { recursive: true });
}

async function found(at: {
  readonly session: string;
  readonly nowMs: number;
}): Promise<readonly ProjectNotes[]> {
  return foreignNotes(await loadNotes(), { project, ...at });
}

function text(path: string): string {
  return readFileSync(join(fixtures, path), "utf8");
}

describe("Continuous-Claude", () => {
  test("a ledger is read by its sections", () => {
    const page = text(
      "continuous-claude/v2/project/thoughts/ledgers/CONTINUITY_CLAUDE-auth-refactor.md",
    );
    expect(sectionsOfLedger(page)).toEqual({
      goal: ["Replace token checks by server-side sessions; done when the auth tests pass."],
      constraints: ["No new dependencies"],
      decisions: ["Store: Redis, because it is already deployed"],
      done: ["Phase 1: Session model"],
      now: ["Phase 2: Logout endpoint"],
      next: ["Phase 3: Middleware swap"],
      questions: ["Does the rate limiter read the token?"],
      notes: ["Branch: `feature/sessions`", "Test cmd: `npm test -- auth`"],
    });
  });

  test("a hand-off in YAML is read, also where a list stands on one line", () => {
    const folder = "continuous-claude/v3/project/thoughts/shared/handoffs/";
    const page = text(`${folder}general/2026-01-05_11-00_port-change.yaml`);
    expect(sectionsOfHandoff(page, "a.yaml")).toEqual({
      goal: ["Moved the API to port 9090"],
      now: ["Update the README"],
      done: ["Change the port constant"],
      next: ["Update the README"],
      decisions: ["constant in config: one place to change"],
      questions: ["Should the old port redirect?"],
      files: ["src/config.ts"],
    });
  });

  test("hand-offs in Markdown are read, those with a ledger and those made before a compaction", () => {
    const parser = text(
      "continuous-claude/v3/project/thoughts/shared/handoffs/parser-550e8400/task-03-parser.md",
    );
    expect(sectionsOfHandoff(parser, "a.md")).toEqual({
      goal: ["Finish the parser"],
      now: ["Error recovery"],
      next: ["Printer"],
    });
    const made = text(
      "continuous-claude/v2/project/thoughts/shared/handoffs/auth-refactor/auto-handoff-2026-11-15T18-34-54.md",
    );
    expect(sectionsOfHandoff(made, "a.md")).toMatchObject({
      now: ["Write logout"],
      next: ["Swap middleware"],
      done: ["Session model"],
      files: ["src/auth.ts"],
    });
  });

  test("the newest hand-off counts, and without one the newest ledger", () => {
    copy("continuous-claude/v3/project/thoughts", "thoughts");
    const page = join(
      project,
      "thoughts/shared/handoffs/general/2026-01-05_11-00_port-change.yaml",
    );
    const later = new Date(nowMs + 5_000);
    utimesSync(page, later, later);
    expect(continuousClaude.of(project, { session: "s1" })?.path).toBe(page);
    rmSync(join(project, "thoughts/shared"), { recursive: true });
    expect(continuousClaude.of(project, { session: "s1" })?.path).toContain(
      "CONTINUITY_CLAUDE-auth-refactor.md",
    );
  });
});

test("claude-sessions: the open session's page is read, a closed one is not", () => {
  copy("claude-sessions/c50709b/project/.claude", ".claude");
  expect(claudeSessions.of(project, { session: "s1" })?.sections).toEqual({
    goal: ["Move the API to port 9090"],
    done: ["change config"],
    notes: [
      "Port moved, docs still open",
      "The port constant moved to 9090; the README is still to be changed.",
    ],
    files: ["src/config.ts"],
  });
  writeFileSync(join(project, ".claude/sessions/.current-session"), "");
  expect(claudeSessions.of(project, { session: "s1" })).toBeUndefined();
  writeFileSync(join(project, ".claude/sessions/.current-session"), "../../secret.md");
  expect(claudeSessions.of(project, { session: "s1" })).toBeUndefined();
});

test("AIOS: tasks, workflow and agents are read; a file of other keys says nothing", () => {
  copy("aios/4.4.6/project/.aios", ".aios");
  expect(aios.of(project, { session: "s1" })?.sections).toEqual({
    done: ["validate-story-draft (po)", "develop (dev)"],
    notes: ["Workflow story_development: in_development", "Agents so far: po, dev"],
    files: ["docs/stories/1.1.story.md"],
  });
  writeFileSync(join(project, ".aios/session-state.json"), '{"currentSession":null}');
  expect(aios.of(project, { session: "s1" })).toBeUndefined();
});

test("SYNAPSE: only the session asked for is read, and no id leads elsewhere", () => {
  copy("synapse/4.4.6/project/.synapse", ".synapse");
  expect(
    synapse.of(project, { session: "7c9e6679-7425-40de-944b-e07fc1f90ae7" })?.sections,
  ).toEqual({
    goal: ["Please refactor the auth module"],
    notes: ["Active agent: dev"],
  });
  expect(
    synapse.of(project, { session: "../sessions/7c9e6679-7425-40de-944b-e07fc1f90ae7" }),
  ).toBeUndefined();
});

describe("all of them", () => {
  test("come together by section, the newest first, secrets hidden", async () => {
    copy("claude-sessions/c50709b/project/.claude", ".claude");
    copy("continuous-claude/v2/project/thoughts/ledgers", "thoughts/ledgers");
    const secret = ["ghp", "0123456789abcdefghijABCDEFGHIJ456789"].join("_");
    const page = join(project, "thoughts/ledgers/CONTINUITY_CLAUDE-auth-refactor.md");
    writeFileSync(page, `${readFileSync(page, "utf8")}- Token: ${secret}\n`);
    const all = await found({ session: "s1", nowMs: nowMs + 10_000 });
    expect(new Set(all.map(({ from }) => from))).toEqual(
      new Set(["claude-sessions", "continuous-claude"]),
    );
    expect(JSON.stringify(bySection(all))).not.toContain(secret);
    expect(bySection(all).constraints).toEqual(["No new dependencies"]);
  });

  test("are left out where they are old, huge, no files, or not what they claim to be", async () => {
    copy("aios/4.4.6/project/.aios", ".aios");
    const monthMs = 31 * 24 * 60 * 60 * 1000;
    const at = { session: "s1", nowMs: Date.parse("2026-11-16T00:00:00Z") };
    expect(await found(at)).toHaveLength(1);
    expect(await found({ ...at, nowMs: at.nowMs + monthMs })).toEqual([]);
    writeFileSync(
      join(project, ".aios/session-state.json"),
      `{"lastActivity":1,"x":"${"x".repeat(300_000)}"}`,
    );
    mkdirSync(join(project, "thoughts/ledgers/CONTINUITY_CLAUDE-a.md"), { recursive: true });
    writeFileSync(join(project, ".synapse"), "no folder");
    expect(await found(at)).toEqual([]);
  });
});
