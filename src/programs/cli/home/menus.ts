import type { Agent } from "../../../agents/contract.ts";
import type { Environment } from "../../../base/env.ts";
import { isInstalled } from "../resume/launch.ts";
import type { Item } from "./item.ts";
import { type Choice, type Menu, menuOf } from "./menu.ts";
import { type Filter, filterKinds } from "./state.ts";
import type { AskedPrompt } from "./thread-messages.ts";

/** Which agents, projects and tags there are, with how many sessions each has; what is chosen again is shown no longer alone. */
export function filterMenu(items: readonly Item[], filter: Filter): Menu {
  const names = {
    agent: items.map(({ session }) => session.agent.name),
    project: items.map(({ project }) => project).filter((name) => name !== ""),
    tag: items.flatMap(({ session }) => session.head.tags ?? []),
  };
  return menuOf("Show only", [
    { value: "", label: `all sessions (${items.length})` },
    ...filterKinds.flatMap((kind) =>
      countsOf(names[kind]).map(([name, count]) => ({
        value: `${kind}:${name}`,
        label: `${kind} ${name} (${count})${filter[kind] === name ? ", chosen" : ""}`,
      })),
    ),
  ]);
}

/** Names by how often they are there, the most frequent first. */
function countsOf(names: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || a.localeCompare(b));
}

/** The agents a session can be resumed in, those on this machine first. */
export function agentMenu(
  item: Item,
  { agents, env }: { readonly agents: readonly Agent[]; readonly env: Environment },
): Menu {
  const others = agents.filter(
    (agent) =>
      agent.writer !== undefined && agent.resume !== undefined && agent !== item.session.agent,
  );
  const isHere = (agent: Agent): boolean => isInstalled(agent, env);
  const choices = [...others.filter(isHere), ...others.filter((agent) => !isHere(agent))].map(
    (agent): Choice => ({
      value: agent.name,
      label: `${agent.title}${isHere(agent) ? "" : " (not installed here)"}`,
      says: looking,
    }),
  );
  return menuOf(`Continue “${item.title}” in`, choices);
}

/** What becomes of a copy for an agent: it is written, and where the agent is on this machine, started. */
export function startMenu(agent: Agent, env: Environment): Menu {
  const write = { value: `write ${agent.name}`, label: "only write the copy" };
  const start = {
    value: `start ${agent.name}`,
    label: `write the copy and start ${agent.title}`,
  };
  return menuOf(
    `Continue in ${agent.title}`,
    isInstalled(agent, env)
      ? [start, write]
      : [{ ...write, says: `${agent.title} is not installed on this machine.` }],
  );
}

/** Where a copy ends that was asked for at a prompt. */
export function endingMenu(number: string): Menu {
  return menuOf(`Copy up to #${number}`, [
    { value: `${number} --before`, label: "before this prompt, to ask something else" },
    { value: number, label: "with this prompt, unanswered" },
  ]);
}

/** What is said of an agent until it is known what would be lost. */
export const looking = "Looking at what would be lost…";

/** The kinds of file a session can be exported as. */
export function exportMenu(item: Item): Menu {
  return menuOf(`Export “${item.title}” as`, [
    { value: "md", label: "Markdown, to read; secrets are masked" },
    { value: "html", label: "HTML, one page for a browser; secrets are masked" },
    { value: "json", label: "JSON, exact" },
    { value: "jsonl", label: "JSON lines, exact" },
  ]);
}

/** The places a session can be forked at: its end, and what was asked, the newest first. */
export function forkMenu(item: Item, prompts: readonly AskedPrompt[]): Menu {
  return menuOf(`Copy “${item.title}” up to`, [
    { value: "", label: "its end" },
    ...prompts.toReversed().map(({ number, text, live }) => ({
      value: number,
      label: `#${number}  ${text}`,
      ...(!live && { says: "Not in the context any more: compacted, or on an abandoned branch." }),
    })),
  ]);
}

/** Whether to do what a plan says. */
export function agreeMenu(title: string, plan: string): Menu {
  return menuOf(title, [
    { value: "", label: "no, leave it as it is", says: plan },
    { value: "yes", label: "yes", says: plan },
  ]);
}
