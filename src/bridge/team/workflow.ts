import { asArray, asString, isObject, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { plainName } from "./entry.ts";

/** One step of a workflow: when its task is done, the workflow is in its state. */
export interface Step {
  readonly task: string;
  readonly state: string;
  /** Who usually does it. */
  readonly agent?: string;
}

/** A row of tasks that lead to something. */
export interface Workflow {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Where a workflow is, and what comes next. */
export interface WorkflowState {
  readonly workflow: string;
  readonly state: string;
  readonly next?: Step;
}

function workflow(name: string, steps: readonly (readonly [string, string, string?])[]): Workflow {
  return {
    name,
    steps: steps.map(([task, state, agent]) => ({ task, state, ...(agent && { agent }) })),
  };
}

/** What is known without a table of the project's own. */
export const knownWorkflows: readonly Workflow[] = [
  workflow("feature", [
    ["analyse", "analysed", "analyst"],
    ["design", "designed", "architect"],
    ["plan", "planned", "architect"],
    ["implement", "implemented", "dev"],
    ["test", "tested", "qa"],
    ["review", "reviewed", "qa"],
    ["release", "released", "dev"],
  ]),
  workflow("fix", [
    ["reproduce", "reproduced", "dev"],
    ["fix", "fixed", "dev"],
    ["verify", "verified", "qa"],
  ]),
  workflow("story_development", [
    ["create-story", "stories_created", "sm"],
    ["validate-story-draft", "validated", "po"],
    ["develop", "in_development", "dev"],
    ["review-qa", "qa_reviewed", "qa"],
    ["apply-qa-fixes", "qa_reviewed", "dev"],
    ["pre-push-quality-gate", "staged", "devops"],
  ]),
];

/**
 * The workflows of a project's own table, before those that are known anyway. The file is anybody's: what does
 * not fit is left out, and at most so much is read.
 */
export function workflowsIn(text: string | undefined): readonly Workflow[] {
  const record = text === undefined ? undefined : parseObject(text);
  const own = asArray(record?.["workflows"]).slice(0, limits.workflows).flatMap(workflowOf);
  const names = new Set(own.map(({ name }) => name));
  return [...own, ...knownWorkflows.filter(({ name }) => !names.has(name))];
}

function workflowOf(value: unknown): readonly Workflow[] {
  if (!isObject(value)) return [];
  const name = plainName(asString(value["name"]) ?? "");
  const steps = asArray(value["steps"])
    .slice(0, limits.workflowSteps)
    .flatMap((step): readonly Step[] => {
      if (!isObject(step)) return [];
      const task = plainName(asString(step["task"]) ?? "");
      const state = plainName(asString(step["state"]) ?? "") || task;
      const agent = plainName(asString(step["agent"]) ?? "");
      return task === "" ? [] : [{ task, state, ...(agent !== "" && { agent }) }];
    });
  return name === "" || steps.length === 0 ? [] : [{ name, steps }];
}

/**
 * Where the work is, told by the tasks that were done, the newest last. Of several workflows with the newest
 * task the one that explains most of the others is meant; of equals the first.
 */
export function inferWorkflow(
  done: readonly string[],
  workflows: readonly Workflow[],
): WorkflowState | undefined {
  const tasks = new Set(done);
  for (const task of done.toReversed()) {
    const candidates = workflows.filter(({ steps }) => steps.some((step) => step.task === task));
    const explained = ({ steps }: Workflow): number =>
      steps.filter((step) => tasks.has(step.task)).length;
    const [meant] = candidates.toSorted((a, b) => explained(b) - explained(a));
    if (meant === undefined) continue;
    const at = meant.steps.findIndex((step) => step.task === task);
    const next = meant.steps[at + 1];
    const { state } = meant.steps[at]!;
    return { workflow: meant.name, state, ...(next !== undefined && { next }) };
  }
  return undefined;
}
