import { basename, dirname, join } from "node:path";
import { RepriseError } from "../../base/errors.ts";
import { namesIn, smallFile } from "../../base/folders.ts";
import { asString, isObject, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import type { SessionHead } from "../../model/head.ts";
import type { AgentCheckpoint, AgentCheckpoints } from "../checkpoints-contract.ts";
import type { SessionRef } from "../contract.ts";
import { isObjectName, shadowFiles } from "../shadow-git.ts";
import { ownerOf, projectFolder } from "./projects.ts";

/**
 * What Gemini CLI keeps for its own `/restore`: before an edit that waits for approval a commit in a repository beside the
 * project's sessions, and a file that says which. The prompt's name begins with the session's.
 */
export const checkpoints: AgentCheckpoints = {
  list: async (ref, head) => listed(ref, head),
  async *files(ref, head, name) {
    const found = listed(ref, head).find((one) => one.name.startsWith(name));
    if (found === undefined) throw new RepriseError("not_found", `There is no checkpoint ${name}.`);
    const project = projectFolder(ref.path);
    const root = ref.root ?? dirname(dirname(project));
    const repository = join(root, "history", basename(project));
    const folder = ownerOf(project, root) ?? head.cwd;
    if (folder === undefined) {
      throw new RepriseError("unsupported", "The store does not say which folder this belongs to.");
    }
    yield* shadowFiles(join(repository, ".git"), found.name, folder);
  },
};

function listed({ path }: SessionRef, { session }: SessionHead): readonly AgentCheckpoint[] {
  const folder = join(projectFolder(path), "checkpoints");
  return namesIn(folder).flatMap((file) => {
    if (!file.endsWith(".json")) return [];
    const said = parseObject(smallFile(join(folder, file), limits.foreignLineBytes) ?? "");
    const commit = said?.["commitHash"];
    const prompt = asString(said?.["messageId"]) ?? "";
    if (!isObjectName(commit) || !prompt.startsWith(session)) return [];
    const call = said?.["toolCall"];
    const tool = isObject(call) ? asString(call["name"]) : undefined;
    const at = timeIn(file);
    return [
      {
        name: commit,
        ...(at !== undefined && { at }),
        ...(tool !== undefined && { label: tool }),
      },
    ];
  });
}

/** The file's name begins with the moment, its punctuation replaced. */
function timeIn(file: string): string | undefined {
  const found = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)_(\d{3}Z)/.exec(file);
  return found === null ? undefined : `${found[1]}:${found[2]}:${found[3]}.${found[4]}`;
}
