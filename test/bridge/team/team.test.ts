import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { projectPlaces } from "../../../src/bridge/ledger/places.ts";
import { entriesIn, plainName, type TeamEntry } from "../../../src/bridge/team/entry.ts";
import { appendTeam, appendWhole, readTeam } from "../../../src/bridge/team/log.ts";
import { foldTeam, previousAgent } from "../../../src/bridge/team/team.ts";
import { tellTeam } from "../../../src/bridge/team/tell.ts";
import { inferWorkflow, knownWorkflows, workflowsIn } from "../../../src/bridge/team/workflow.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";

const seed = 20_261_115;
const at = "2026-11-15T10:00:00.000Z";

function done(task: string, agent?: string): TeamEntry {
  return { kind: "task", at, task, status: "done", ...(agent !== undefined && { agent }) };
}

describe("a team", () => {
  const team = foldTeam(
    [
      { kind: "task", at, task: "test", status: "open", agent: "qa" },
      done("analyse", "analyst"),
      { kind: "agent", at, agent: "dev" },
      done("implement", "dev"),
      { kind: "handover", at, from: "dev", to: "qa", note: "Look at the retries" },
      { kind: "handover", at, from: "dev", to: "ops", note: "The port changes" },
    ],
    knownWorkflows,
  );

  test("knows who acted in which order, and who came before", () => {
    expect(team.agents).toEqual(["analyst", "dev"]);
    expect(previousAgent(team, "qa")).toBe("dev");
    expect(previousAgent(team, "dev")).toBe("analyst");
    expect(previousAgent(team, undefined)).toBe("analyst");
  });

  test("tells the next agent what was left for it, and nothing that was left for others", () => {
    const text = tellTeam(team, { agent: "qa", budgetTokens: 400 });
    expect(text).toContain("- Before you: dev");
    expect(text).toContain("- dev to qa: Look at the retries");
    expect(text).not.toContain("The port changes");
    expect(text).toContain("- Workflow feature: implemented");
    expect(text).toContain("- [ ] test (qa)");
  });

  test("remembers a bounded past", () => {
    const many = Array.from({ length: 200 }, (_, index) => done(`t${index}`, `a${index}`));
    const { agents, tasks } = foldTeam(many, []);
    expect(agents).toHaveLength(20);
    expect(agents.at(-1)).toBe("a199");
    expect(tasks).toHaveLength(50);
  });

  test("says nothing where nobody did anything", () => {
    expect(tellTeam(foldTeam([], knownWorkflows), { budgetTokens: 400 })).toBe("");
  });
});

describe("a workflow", () => {
  test("is told by the newest task that is done, and the tasks before it", () => {
    expect(inferWorkflow(["validate-story-draft", "develop"], knownWorkflows)).toEqual({
      workflow: "story_development",
      state: "in_development",
      next: { task: "review-qa", state: "qa_reviewed", agent: "qa" },
    });
    expect(inferWorkflow(["something", "else"], knownWorkflows)).toBeUndefined();
    const both = workflowsIn(
      JSON.stringify({
        workflows: [
          { name: "a", steps: [{ task: "build" }, { task: "ship" }] },
          { name: "b", steps: [{ task: "sketch" }, { task: "build" }, { task: "show" }] },
        ],
      }),
    );
    expect(inferWorkflow(["sketch", "build"], both)?.workflow).toBe("b");
    expect(inferWorkflow(["build"], both)?.workflow).toBe("a");
  });

  test("of the project goes before a known one of the same name", () => {
    const own = workflowsIn(
      JSON.stringify({
        workflows: [{ name: "Fix", steps: [{ task: "*Patch", state: "Patched" }] }],
      }),
    );
    expect(own.filter(({ name }) => name === "fix")).toEqual([
      { name: "fix", steps: [{ task: "patch", state: "patched" }] },
    ]);
  });

  test("takes nothing from a table that is none, and only so much from a huge one", () => {
    for (const text of [undefined, "", "[]", "null", '{"workflows":7}', '{"workflows":[7,{}]}']) {
      expect(workflowsIn(text)).toEqual(knownWorkflows);
    }
    const table = (length: number) => {
      const steps = Array.from({ length }, (_, index) => ({ task: `t${index}` }));
      const many = Array.from({ length }, (_, index) => ({ name: `w${index}`, steps }));
      return JSON.stringify({ workflows: many });
    };
    // What is too heavy to be parsed is not.
    expect(workflowsIn(table(500))).toEqual(knownWorkflows);
    const own = workflowsIn(table(100));
    expect(own.length).toBe(32 + knownWorkflows.length);
    expect(own[0]?.steps).toHaveLength(64);
    const hostile = workflowsIn(
      '{"workflows":[{"name":"__proto__","steps":[{"task":"__proto__","state":"x"}]}]}',
    );
    expect(inferWorkflow(["__proto__"], hostile)).toMatchObject({ state: "x" });
    expect(({} as Record<string, unknown>)["state"]).toBeUndefined();
  });
});

describe("a team log", () => {
  let home: string;
  beforeEach(() => {
    home = temporaryFolder();
    mkdirSync(join(home, "project", ".git"), { recursive: true });
  });

  test("is read back, damaged lines passed over, with the project's own table", () => {
    const project = projectPlaces(home, join(home, "project"));
    expect(readTeam(project)).toBeUndefined();
    appendTeam(project, done("cut-branch", "dev"));
    appendWhole(project.team, '{"kind":"task"\n\u0000\n[1]\n{"kind":"task","at":"x","task":"a"}\n');
    appendTeam(project, { kind: "handover", at, note: "Go on" });
    mkdirSync(join(home, "project", ".reprise"));
    const table = {
      workflows: [{ name: "cut", steps: [{ task: "cut-branch", state: "branched" }] }],
    };
    writeFileSync(join(home, "project", ".reprise", "workflows.json"), JSON.stringify(table));
    expect(readTeam(project)).toEqual({
      agents: ["dev"],
      tasks: [{ at, task: "cut-branch", status: "done", agent: "dev" }],
      handovers: [{ at, note: "Go on" }],
      workflow: { workflow: "cut", state: "branched" },
    });
  });

  test("goes on after a line that a full disk cut off", () => {
    const project = projectPlaces(home, join(home, "project"));
    appendTeam(project, done("plan", "dev"));
    appendWhole(project.team, '{"kind":"task","at":');
    appendTeam(project, done("implement", "dev"));
    expect(readTeam(project)?.tasks.map(({ task }) => task)).toEqual(["plan", "implement"]);
  });

  test(`never throws, whatever stands in it (seed ${seed})`, () => {
    const line = fc.oneof(
      fc.string(),
      fc.json(),
      fc.record({ kind: fc.constantFrom("task", "agent", "handover"), at: fc.constant(at) }),
    );
    const property = fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
      const text = lines.map((item) => (typeof item === "string" ? item : JSON.stringify(item)));
      const team = foldTeam(entriesIn(text.join("\n")), knownWorkflows);
      expect(typeof tellTeam(team, { budgetTokens: 100 })).toBe("string");
    });
    fc.assert(property, { seed, numRuns: 300 });
  });
});

test("names are compared without marks and case", () => {
  expect(plainName("*Develop")).toBe("develop");
  expect(plainName("@QA")).toBe("qa");
  expect(plainName("a\nb\u001b[31m")).not.toContain("\n");
});
