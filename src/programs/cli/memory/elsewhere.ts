import { limits } from "../../../base/limits.ts";
import type { Status } from "../../../memory/entry.ts";
import { openMemory } from "../../../memory/memory.ts";
import { memoryFolder, namespacesIn, userNamespace } from "../../../memory/namespace.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { homeOf } from "../sessions/native.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { memoryOptions } from "./wanted.ts";

/** What people call each namespace: a project by its name, any other by its own. */
export function namespaceLabels(context: CommandContext): ReadonlyMap<string, string> {
  const all = namespacesIn(memoryFolder(homeOf(context).root));
  return new Map(all.map(({ name, project }) => [name, project?.name ?? name]));
}

/** How many memories other namespaces have than the one that is open and the user's. */
export async function memoriesElsewhere(
  invocation: Invocation,
  context: CommandContext,
): Promise<number> {
  const memory = openMemory({ ...memoryOptions(invocation, context), everywhere: true });
  try {
    const groups = await memory.group("namespace", { namespaces: "all" });
    return groups
      .filter(({ name }) => name !== memory.namespace.name && name !== userNamespace.name)
      .reduce((sum, group) => sum + group.count, 0);
  } finally {
    memory.close();
  }
}

/** Says which projects have memories of a status; undefined if none has. */
export async function elsewhereText(
  invocation: Invocation,
  context: CommandContext,
  status: Status,
): Promise<string | undefined> {
  const memory = openMemory({ ...memoryOptions(invocation, context), everywhere: true });
  try {
    const groups = await memory.group("namespace", { namespaces: "all", statuses: [status] });
    if (groups.length === 0) return undefined;
    const labels = namespaceLabels(context);
    const isProject = ({ name }: { readonly name: string }): boolean => labels.get(name) !== name;
    const some = (of: typeof groups): string => {
      const named = of
        .slice(0, limits.candidates)
        .map(({ name, count }) => `${safeLine(labels.get(name) ?? name)} (${count})`);
      const more = of.length > named.length ? `, and ${of.length - named.length} more` : "";
      return named.join(", ") + more;
    };
    const what = status === "proposed" ? "proposals" : "memories";
    const projects = groups.filter(isProject);
    const others = groups.filter((group) => !isProject(group));
    return [
      projects.length === 0
        ? []
        : `Projects with ${what}: ${some(projects)}; --project <words> means one.`,
      others.length === 0
        ? []
        : `Namespaces with ${what}: ${some(others)}; --namespace <name> means one.`,
    ]
      .flat()
      .join("\n");
  } finally {
    memory.close();
  }
}
