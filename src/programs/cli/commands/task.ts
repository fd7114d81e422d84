import { isoNow } from "../../../base/clock.ts";
import { RepriseError } from "../../../base/errors.ts";
import { projectPlaces } from "../../../bridge/ledger/places.ts";
import { withoutSecrets } from "../../../bridge/ledger/secrets.ts";
import { plainName, type TaskStatus } from "../../../bridge/team/entry.ts";
import { appendTeam, readTeam } from "../../../bridge/team/log.ts";
import { previousAgent, type Team } from "../../../bridge/team/team.ts";
import type { Command, CommandContext, Invocation } from "../run/command.ts";
import { homeOf } from "../sessions/native.ts";
import { safeLine } from "../terminal/terminal-text.ts";

const actions: ReadonlyMap<string, TaskStatus> = new Map([
  ["add", "open"],
  ["start", "active"],
  ["done", "done"],
  ["failed", "failed"],
]);

/** `reprise task`: what several agents do in one project, and how far it is. */
export const task: Command = {
  name: "task",
  summary: "list and update the tasks of the agents in this project",
  details: `Agents with names (analyst, dev, qa …) record what they do; the next agent sees who came before, what is open, what
was left for it, and the state of the workflow. The workflow is recognised by the names of tasks; \`.reprise/workflows.json\`
in the project adds to the table: docs/continuity.md. REPRISE_AGENT sets --agent.`,
  args: [
    { name: "[action]", says: "one of the actions above" },
    { name: "[name...]", says: "the task" },
  ],
  actions: [
    { name: "list", says: "list tasks, agents and what comes next (the default)" },
    { name: "add", takes: "<name...>", says: "add a task" },
    { name: "start", takes: "<name...>", says: "mark it as begun" },
    { name: "done", takes: "<name...>", says: "mark it as done" },
    { name: "failed", takes: "<name...>", says: "mark it as failed" },
  ],
  flags: [
    { flags: "--agent <name>", says: "the agent that does it", kind: "text" },
    { flags: "--to <name>", says: "the agent that takes over", kind: "text" },
    { flags: "--note <text>", says: "a note for the next agent", kind: "text" },
  ],
  examples: [
    { line: "reprise task add implement --agent dev", says: "something to do" },
    {
      line: 'reprise task done implement --agent dev --to qa --note "Look at the retries"',
      says: "done, and handed over",
    },
    { line: "reprise task list", says: "who did what, and what comes next" },
  ],
  json: `{ project: string, agents: string[], previous?: string, tasks: { task: string, status: string, at: string,
  agent?: string }[], handovers: { at: string, note: string, from?: string, to?: string }[],
  workflow?: { workflow: string, state: string, next?: { task: string, state: string, agent?: string } } }`,
  run: async (invocation, context) => {
    const [action = "list", ...words] = invocation.args;
    const status = actions.get(action);
    if (action !== "list") {
      if (status === undefined) {
        throw new RepriseError("usage", `Not an action: ${JSON.stringify(action)}.`, {
          hint: "Say list, add, start, done or failed.",
        });
      }
      write(status, words.join(" "), { invocation, context });
    }
    const project = projectPlaces(homeOf(context).root, context.env.cwd);
    const team = readTeam(project) ?? { agents: [], tasks: [], handovers: [] };
    const previous = previousAgent(team, undefined);
    if (context.json) {
      const told = { project: project.path, ...team, ...(previous !== undefined && { previous }) };
      return context.out.writeJson(told);
    }
    await context.out.write(teamText(team));
  },
};

function write(
  status: TaskStatus,
  name: string,
  { invocation, context }: { readonly invocation: Invocation; readonly context: CommandContext },
): void {
  const { flags } = invocation;
  const taskName = plainName(withoutSecrets(name));
  if (taskName === "") throw new RepriseError("usage", "No task was named.");
  const agent = plainName(flags.text("agent") ?? context.env.variables["REPRISE_AGENT"] ?? "");
  const to = plainName(flags.text("to") ?? "");
  const note = withoutSecrets(flags.text("note") ?? "");
  const project = projectPlaces(homeOf(context).root, context.env.cwd);
  const by = agent === "" ? {} : { agent };
  appendTeam(project, { kind: "task", at: isoNow(), task: taskName, status, ...by });
  if (note === "" && to === "") return;
  const ends = { ...(agent !== "" && { from: agent }), ...(to !== "" && { to }) };
  const said = note === "" ? `${taskName} is ${status}` : note;
  appendTeam(project, { kind: "handover", at: isoNow(), note: said, ...ends });
}

const marks: Readonly<Record<TaskStatus, string>> = {
  open: "[ ]",
  active: "[>]",
  done: "[x]",
  failed: "[!]",
};

function teamText({ agents, tasks, handovers, workflow }: Team): string {
  if (tasks.length === 0 && handovers.length === 0) return "No task yet.\n";
  const lines = tasks.map(
    ({ task: name, status, agent }) =>
      `${marks[status]} ${name}${agent === undefined ? "" : `  (${agent})`}`,
  );
  if (agents.length > 0) lines.push(`Agents: ${agents.join(" > ")}`);
  if (workflow !== undefined) {
    const { next } = workflow;
    const then =
      next === undefined ? "" : `, next ${next.task}${next.agent ? ` (${next.agent})` : ""}`;
    lines.push(`Workflow: ${workflow.workflow}, ${workflow.state}${then}`);
  }
  for (const { from, to, note } of handovers) {
    lines.push(`${from ?? "somebody"} to ${to ?? "the next one"}: ${note}`);
  }
  return `${lines.map(safeLine).join("\n")}\n`;
}
