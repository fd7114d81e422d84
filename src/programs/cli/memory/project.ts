import { listSessions } from "../../../agents/library.ts";
import { groupByProject } from "../../../agents/project.ts";
import { RepriseError } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { memoryFolder, namespacesIn, projectNamespace } from "../../../memory/namespace.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { homeOf } from "../sessions/native.ts";

/** A project that has sessions or memories. */
interface KnownProject {
  readonly name: string;
  readonly path: string;
}

/**
 * The same command as if it were typed in the project that `--project` names, by a part of its name or path as in
 * `reprise list`. Throws `not_found` or `ambiguous` with the projects there are.
 */
export async function inProject(
  { flags }: Invocation,
  context: CommandContext,
): Promise<CommandContext> {
  const words = flags.text("project");
  if (words === undefined) return context;
  if (flags.isSet("user") || flags.text("namespace") !== undefined)
    throw new RepriseError("usage", "Give one of --project, --namespace and --user.");
  const { path } = oneProject(words, await projectsKnown(context));
  return { ...context, env: { ...context.env, cwd: path } };
}

/** The one project that words name: its whole name or path, else a part of one. */
function oneProject(words: string, known: readonly KnownProject[]): KnownProject {
  const wanted = words.trim().toLowerCase();
  const is = ({ name, path }: KnownProject): boolean =>
    [name, path].some((one) => one.toLowerCase() === wanted);
  const has = ({ name, path }: KnownProject): boolean =>
    wanted !== "" && [name, path].some((one) => one.toLowerCase().includes(wanted));
  const whole = known.filter(is);
  const found = whole.length > 0 ? whole : known.filter(has);
  if (found.length === 1) return found[0]!;
  const about = found.length === 0 ? known : found;
  const candidates = about
    .slice(0, limits.candidates)
    .map(({ name, path }) => ({ ref: name, title: path }));
  const details = { project: words, count: about.length, candidates };
  if (found.length > 1)
    throw new RepriseError(
      "ambiguous",
      `${JSON.stringify(words)} matches ${found.length} projects:`,
      {
        hint: "Give the whole name, or more of the path; nothing was changed.",
        details,
      },
    );
  const rest = known.length === 0 ? "." : "; there are:";
  throw new RepriseError("not_found", `No project has ${JSON.stringify(words)}${rest}`, {
    hint: "`reprise list --all` shows every project; nothing was changed.",
    details,
  });
}

/** Projects that have sessions, the newest first, then those that only have memories. */
async function projectsKnown(context: CommandContext): Promise<readonly KnownProject[]> {
  const { sessions } = await listSessions({ env: context.env, project: "" });
  const groups = groupByProject(sessions.map(({ head }) => head));
  const folder = memoryFolder(homeOf(context).root);
  const kept = namespacesIn(folder).flatMap(({ project }) => project ?? []);
  const byNamespace = new Map<string, KnownProject>();
  for (const { name, path } of [...groups, ...kept]) {
    if (path === undefined) continue;
    const namespace = projectNamespace(path, folder).name;
    if (!byNamespace.has(namespace)) byNamespace.set(namespace, { name, path });
  }
  return [...byNamespace.values()];
}
