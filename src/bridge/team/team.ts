import { limits } from "../../base/limits.ts";
import type { TaskStatus, TeamEntry } from "./entry.ts";
import { inferWorkflow, type Workflow, type WorkflowState } from "./workflow.ts";

/** A task of the project and who was last at it. */
export interface TeamTask {
  readonly task: string;
  readonly status: TaskStatus;
  readonly at: string;
  readonly agent?: string;
}

/** A word from one agent to another; without a name it is for anyone who comes next. */
export interface Handover {
  readonly at: string;
  readonly note: string;
  readonly from?: string;
  readonly to?: string;
}

/** Who did what in a project, folded from its team log. */
export interface Team {
  /** The agents in the order they acted, the current one last. */
  readonly agents: readonly string[];
  readonly tasks: readonly TeamTask[];
  readonly handovers: readonly Handover[];
  readonly workflow?: WorkflowState;
}

/** Folds a team log; what is older than the bounds is forgotten. */
export function foldTeam(entries: readonly TeamEntry[], workflows: readonly Workflow[]): Team {
  const agents: string[] = [];
  const tasks = new Map<string, TeamTask>();
  const handovers: Handover[] = [];
  const acted = (agent: string | undefined): void => {
    if (agent !== undefined && agents.at(-1) !== agent) agents.push(agent);
  };
  for (const entry of entries) {
    if (entry.kind === "agent") acted(entry.agent);
    else if (entry.kind === "handover") {
      acted(entry.from);
      const { kind: _kind, ...handover } = entry;
      handovers.push(handover);
    } else {
      // A plan made for somebody is not a work done by them.
      if (entry.status !== "open") acted(entry.agent);
      const { kind: _kind, ...task } = entry;
      const agent = entry.agent ?? tasks.get(entry.task)?.agent;
      tasks.delete(entry.task);
      tasks.set(entry.task, { ...task, ...(agent !== undefined && { agent }) });
    }
  }
  const kept = [...tasks.values()].slice(-limits.teamTasks);
  const done = kept.filter(({ status }) => status === "done").map(({ task }) => task);
  const workflow = inferWorkflow(done, workflows);
  return {
    agents: agents.slice(-limits.teamAgents),
    tasks: kept,
    handovers: handovers.slice(-limits.teamHandovers),
    ...(workflow !== undefined && { workflow }),
  };
}

/** The agent before the one that acts now. */
export function previousAgent(team: Team, current: string | undefined): string | undefined {
  return team.agents.findLast((agent) => agent !== (current ?? team.agents.at(-1)));
}
