import { type Section, writeSections } from "../../context/sections.ts";
import { previousAgent, type Team } from "./team.ts";

/** What the next agent must know of those before it, within a budget; empty where nobody left anything. */
export function tellTeam(
  team: Team,
  { agent, budgetTokens }: { readonly agent?: string | undefined; readonly budgetTokens: number },
): string {
  const previous = previousAgent(team, agent);
  const meant = team.handovers.filter(
    ({ to }) => to === undefined || agent === undefined || to === agent,
  );
  const { workflow } = team;
  const state = [
    ...(previous === undefined ? [] : [`- Before you: ${previous}`]),
    ...(team.agents.length < 2 ? [] : [`- Agents so far: ${team.agents.join(", ")}`]),
    ...(workflow === undefined ? [] : [`- Workflow ${workflow.workflow}: ${workflow.state}`]),
    ...(workflow?.next === undefined ? [] : [`- Usually next: ${stepOf(workflow.next)}`]),
  ];
  const notes = meant.map(({ note, from, to }) => {
    const ends = `${from ?? "somebody"} to ${to ?? "the next agent"}`;
    return `- ${ends}: ${note}`;
  });
  const open = team.tasks.filter(({ status }) => status === "open" || status === "active");
  const over = team.tasks.filter(({ status }) => status === "done" || status === "failed");
  const sections: readonly Section[] = [
    { title: "Where it stands", lines: state, share: 0.3, giveUp: "newest" },
    { title: "Hand-over notes", lines: notes, share: 0.4, giveUp: "oldest" },
    { title: "Open tasks", lines: open.map(taskLine), share: 0.2, giveUp: "newest" },
    { title: "Done", lines: over.slice(-5).map(taskLine), share: 0.1, giveUp: "oldest" },
  ];
  if (sections.every(({ lines }) => lines.length === 0)) return "";
  return writeSections("# Hand-over between agents", { sections, budgetTokens });
}

function stepOf({ task, agent }: { readonly task: string; readonly agent?: string }): string {
  return agent === undefined ? task : `${task} (${agent})`;
}

function taskLine({ task, status, agent }: Team["tasks"][number]): string {
  const mark = status === "done" ? "x" : " ";
  const by = [status === "failed" ? "failed" : "", status === "active" ? "begun" : "", agent ?? ""];
  const told = by.filter((word) => word !== "").join(", ");
  return `- [${mark}] ${task}${told === "" ? "" : ` (${told})`}`;
}
