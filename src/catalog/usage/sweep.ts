import type { Dirent } from "node:fs";
import { join, resolve, sep } from "node:path";
import { parseRolloutName } from "../../agents/codex/rollout-name.ts";
import { codexHome, rolloutFiles } from "../../agents/codex/store.ts";
import { agentFolder, locate as locatePi } from "../../agents/pi/locate.ts";
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
  options: { readonly projects: ReadonlySet<string>; readonly agent?: string },
): Promise<readonly UsageFile[]> {
  const files: UsageFile[] = [];
  const wants = (agent: string): boolean => options.agent === undefined || options.agent === agent;
  if (wants("reprise")) files.push(...nativeFiles(env));
  if (wants("claude-code")) files.push(...claudeFiles(env));
  if (wants("codex")) files.push(...codexFiles(env));
  if (wants("pi") && exists(agentFolder(env))) {
    files.push(...refFiles(locatePi(env, { projects: [...options.projects] })));
  }
  if (wants("gemini-cli")) files.push(...(await geminiFiles(env, options.projects)));
  if (wants("opencode")) files.push(...(await opencodeFiles(env)));
  if (wants("aider")) files.push(...(await aiderFiles(env, options.projects)));
  return files;
}

function* nativeFiles(env: Environment): Generator<UsageFile> {
  const { sessions, bases } = userHome(env);
  const folders = entriesOf(sessions).filter((entry) => entry.isDirectory());
  for (const folder of [bases, ...folders.map(({ name }) => join(sessions, name))]) {
    // Links are not followed, as in the store's own listing.
    for (const entry of entriesOf(folder)) {
      if (entry.isFile() && isLog(entry)) yield* fileAt("reprise", folder, stem(entry));
    }
  }
}

/** Transcripts, and those of subagents: in a folder of the session's name, or beside it as 2.0 wrote them. */
function* claudeFiles(env: Environment): Generator<UsageFile> {
  const named = env.variables["CLAUDE_CONFIG_DIR"] ?? "";
  const root = named === "" ? join(env.home, ".claude") : resolve(env.cwd, named);
  const projects = join(root, "projects");
  for (const project of entriesOf(projects)) {
    if (!project.isDirectory() && !project.isSymbolicLink()) continue;
    const folder = join(projects, project.name);
    for (const entry of entriesOf(folder)) {
      if (entry.isDirectory()) yield* sideFiles(join(folder, entry.name), entry.name, 0);
      else if (isLog(entry)) yield* fileAt("claude-code", folder, stem(entry));
    }
  }
}

/** A session's folder, the folder in it, and room for workflows of subagents. */
const sideDepth = 4;

function* sideFiles(folder: string, parent: string, depth: number): Generator<UsageFile> {
  for (const entry of entriesOf(folder)) {
    if (entry.isDirectory()) {
      if (depth < sideDepth) yield* sideFiles(`${folder}${sep}${entry.name}`, parent, depth + 1);
    } else if (isLog(entry)) {
      for (const file of fileAt("claude-code", folder, stem(entry))) yield { ...file, parent };
    }
  }
}

function* codexFiles(env: Environment): Generator<UsageFile> {
  const plain = new Set<string>();
  const packed: { readonly path: string; readonly thread: string }[] = [];
  for (const { path, name } of rolloutFiles(codexHome(env))) {
    if (name.compressed) packed.push({ path, thread: name.thread });
    else {
      plain.add(name.rollout);
      yield* statted("codex", path, name.thread);
    }
  }
  for (const { path, thread } of packed) {
    const rollout = parseRolloutName(path.slice(path.lastIndexOf(sep) + 1))?.rollout;
    if (rollout === undefined || !plain.has(rollout)) yield* statted("codex", path, thread);
  }
}

function isLog(entry: Dirent): boolean {
  return entry.name.endsWith(".jsonl") && !entry.name.startsWith(".");
}

function stem(entry: Dirent): string {
  return entry.name.slice(0, -".jsonl".length);
}

function* fileAt(agent: string, folder: string, session: string): Generator<UsageFile> {
  yield* statted(agent, `${folder}${sep}${session}.jsonl`, session);
}
