import type { Dirent } from "node:fs";
import { join, resolve, sep } from "node:path";
import { codexHome } from "../../agents/codex/roots.ts";
import { type RolloutFile, rolloutFiles } from "../../agents/codex/store.ts";
import { locate as locatePi } from "../../agents/pi/locate.ts";
import { agentFolder } from "../../agents/pi/roots.ts";
import { exists } from "../../base/disk.ts";
import type { Environment } from "../../base/env.ts";
import { entriesOf } from "../../base/folders.ts";
import { userHome } from "../../store/home.ts";
import type { UsageFile } from "./source.ts";
import { refFiles, statted } from "./stat-file.ts";
import { aiderFiles, geminiFiles, opencodeFiles } from "./sweep-rare.ts";

/** Everything on the machine that may record usage, by listing and stat alone. */
export async function sweep(
  env: Environment,
  { projects }: { readonly projects: ReadonlySet<string> },
): Promise<readonly UsageFile[]> {
  return [
    ...nativeFiles(env),
    ...claudeFiles(env),
    ...codexFiles(env),
    ...(await opencodeFiles(env)),
    ...(await sweepProjects(env, projects)),
  ];
}

/** The same for agents that may keep sessions in the projects themselves. */
export async function sweepProjects(
  env: Environment,
  projects: ReadonlySet<string>,
): Promise<readonly UsageFile[]> {
  const hasPi = exists(agentFolder(env));
  return [
    ...(hasPi ? refFiles(locatePi(env, { projects: [...projects] })) : []),
    ...(await geminiFiles(env, projects)),
    ...(await aiderFiles(env, projects)),
  ];
}

function nativeFiles(env: Environment): readonly UsageFile[] {
  const files: UsageFile[] = [];
  const { sessions, bases } = userHome(env);
  const folders = entriesOf(sessions).filter((entry) => entry.isDirectory());
  for (const folder of [bases, ...folders.map(({ name }) => join(sessions, name))]) {
    // Links are not followed, as in the store's own listing.
    for (const entry of entriesOf(folder)) {
      if (entry.isFile() && isLog(entry)) put(files, logAt("reprise", folder, entry));
    }
  }
  return files;
}

/** Transcripts, and those of subagents: in a folder of the session's name, or beside it as 2.0 wrote them. */
function claudeFiles(env: Environment): readonly UsageFile[] {
  const files: UsageFile[] = [];
  const named = env.variables["CLAUDE_CONFIG_DIR"] ?? "";
  const root = named === "" ? join(env.home, ".claude") : resolve(env.cwd, named);
  const projects = join(root, "projects");
  for (const project of entriesOf(projects)) {
    if (!project.isDirectory() && !project.isSymbolicLink()) continue;
    const folder = `${projects}${sep}${project.name}`;
    for (const entry of entriesOf(folder)) {
      if (isLog(entry) && !entry.isDirectory()) put(files, logAt("claude-code", folder, entry));
      else if (entry.isDirectory()) {
        files.push(...sideFiles(`${folder}${sep}${entry.name}`, entry.name, 0));
      }
    }
  }
  return files;
}

/** A session's folder, the folder in it, and room for workflows of subagents. */
const sideDepth = 4;

function* sideFiles(folder: string, parent: string, depth: number): Generator<UsageFile> {
  for (const entry of entriesOf(folder)) {
    if (entry.isDirectory()) {
      if (depth < sideDepth) yield* sideFiles(`${folder}${sep}${entry.name}`, parent, depth + 1);
    } else if (isLog(entry)) {
      const file = logAt("claude-code", folder, entry);
      if (file !== undefined) yield { ...file, parent };
    }
  }
}

function codexFiles(env: Environment): readonly UsageFile[] {
  const files: UsageFile[] = [];
  const plain = new Set<string>();
  const packed: RolloutFile[] = [];
  for (const rollout of rolloutFiles(codexHome(env))) {
    if (rollout.name.compressed) packed.push(rollout);
    else {
      plain.add(rollout.name.rollout);
      put(files, statted("codex", rollout.path, rollout.name.thread));
    }
  }
  for (const { path, name } of packed) {
    if (!plain.has(name.rollout)) put(files, statted("codex", path, name.thread));
  }
  return files;
}

function put(files: UsageFile[], file: UsageFile | undefined): void {
  if (file !== undefined) files.push(file);
}

function isLog(entry: Dirent): boolean {
  return entry.name.endsWith(".jsonl") && !entry.name.startsWith(".");
}

function logAt(agent: string, folder: string, { name }: Dirent): UsageFile | undefined {
  return statted(agent, `${folder}${sep}${name}`, name.slice(0, -".jsonl".length));
}
