import { basename, dirname, join } from "node:path";
import { exists } from "../../base/disk.ts";
import type { Environment } from "../../base/env.ts";
import type { UsageFile } from "./source.ts";
import { refFiles } from "./stat-file.ts";

/** The sessions of Gemini CLI; its own loader is needed only where there is one. */
export async function geminiFiles(
  env: Environment,
  projects: ReadonlySet<string>,
): Promise<readonly UsageFile[]> {
  const root = env.variables["GEMINI_CLI_HOME"] || env.home;
  if (!exists(join(root, ".gemini"))) return [];
  const { locate } = await import("../../agents/gemini-cli/locate.ts");
  const files = [...refFiles(locate(env, { projects: [...projects] }))];
  // Saved chats repeat what sessions recorded, without tokens. A subagent's lie in a folder of its parent's name.
  return files
    .filter(({ path }) => !basename(path).startsWith("checkpoint-"))
    .map((file) =>
      file.part === "subagent" ? { ...file, parent: basename(dirname(file.path)) } : file,
    );
}

/** The sessions of OpenCode's databases and trees. */
export async function opencodeFiles(env: Environment): Promise<readonly UsageFile[]> {
  const data = env.variables["XDG_DATA_HOME"] || join(env.home, ".local", "share");
  const named = env.variables["OPENCODE_DB"] ?? "";
  if (named === "" && !exists(join(data, "opencode"))) return [];
  const { locate } = await import("../../agents/opencode/locate.ts");
  return [...refFiles(locate(env))].filter(({ session }) => session !== "unreadable");
}

/** The runs in aider's histories, in the folders sessions are known to have run in. */
export async function aiderFiles(
  env: Environment,
  projects: ReadonlySet<string>,
): Promise<readonly UsageFile[]> {
  const chosen = env.variables["AIDER_CHAT_HISTORY_FILE"] ?? "";
  const folders = [...ancestors(env.cwd), ...projects];
  if (chosen === "" && !folders.some((folder) => exists(join(folder, ".aider.chat.history.md")))) {
    return [];
  }
  const { locate } = await import("../../agents/aider/locate.ts");
  return [...refFiles(locate(env, { projects: [...projects] }))];
}

function ancestors(folder: string): readonly string[] {
  const found = [folder];
  for (let at = folder; dirname(at) !== at; at = dirname(at)) found.push(dirname(at));
  return found;
}
