import { dirname, join } from "node:path";
import { RepriseError } from "../../base/errors.ts";
import { namesIn } from "../../base/folders.ts";
import { asArray, asNumber, asString, isObject, type JsonObject } from "../../base/json.ts";
import type { AgentCheckpoint, AgentCheckpoints } from "../checkpoints-contract.ts";
import type { SessionRef } from "../contract.ts";
import { hasObject, isObjectName, shadowFiles, workTreeOf } from "../shadow-git.ts";
import { read } from "./read.ts";

/**
 * What OpenCode keeps for its own `/undo`: at each step of a message a tree in a repository of its own below `snapshot/`,
 * named in the step's parts. It is swept after a week.
 */
export const checkpoints: AgentCheckpoints = {
  list: async (ref) => (await trees(ref)).map(({ tree: _tree, ...one }) => one),
  async *files(ref, head, name) {
    const found = (await trees(ref)).find((one) => one.name.startsWith(name));
    if (found === undefined) throw new RepriseError("not_found", `There is no checkpoint ${name}.`);
    const repository = repositories(ref).find((one) => hasObject(one, found.tree));
    if (repository === undefined) {
      throw new RepriseError("not_found", "OpenCode has swept the content of this checkpoint.");
    }
    const folder = workTreeOf(repository) ?? head.cwd;
    if (folder === undefined) {
      throw new RepriseError("unsupported", "The store does not say which folder this belongs to.");
    }
    yield* shadowFiles(repository, found.tree, folder);
  },
};

interface NamedTree extends AgentCheckpoint {
  readonly tree: string;
}

/** The trees that the session's messages began their steps with, each once for a message. */
async function trees(ref: SessionRef): Promise<readonly NamedTree[]> {
  const found = new Map<string, NamedTree>();
  for await (const { events } of read(ref, { allBranches: true })) {
    for (const { native } of events) {
      if (!isObject(native) || !isObject(native["info"])) continue;
      for (const part of asArray(native["parts"])) {
        const tree = isObject(part) && part["type"] === "step-start" ? part["snapshot"] : undefined;
        if (!isObjectName(tree)) continue;
        const one = named(native["info"], tree);
        if (!found.has(one.name)) found.set(one.name, one);
      }
    }
  }
  return [...found.values()];
}

function named(info: JsonObject, tree: string): NamedTree {
  const message = asString(info["id"]);
  const made = isObject(info["time"]) ? asNumber(info["time"]["created"]) : undefined;
  return {
    name: `${tree}${message === undefined ? "" : `-${message}`}`,
    tree,
    ...(message !== undefined && { uuid: message }),
    ...(made !== undefined && { at: new Date(made).toISOString() }),
  };
}

/** One for each project, or of newer versions one for each folder of it. */
function repositories({ path, root }: SessionRef): readonly string[] {
  const top = join(root ?? dirname(path), "snapshot");
  return namesIn(top).flatMap((project) => {
    const folder = join(top, project);
    const names = namesIn(folder);
    return names.includes("objects") ? [folder] : names.map((name) => join(folder, name));
  });
}
