import { join } from "node:path";
import { fileStat } from "../../base/folders.ts";
import type { AgentMemories } from "../memories-contract.ts";
import { foldersHere } from "../project-folders.ts";
import { memoryParts } from "./read/memory-parts.ts";
import { storagesOf } from "./roots.ts";

const database = "long_term_memory_storage.db";

/** Where CrewAI's own memories lie: what versions before 1.10 noted about tasks. Stores of vectors are not read. */
export const memories: AgentMemories = {
  pages: () => [],
  *notes(scope, env) {
    if (scope === "user") return;
    for (const project of foldersHere(env)) {
      for (const folder of [...storagesOf(project, env), project]) {
        const path = join(folder, database);
        if (fileStat(path) === undefined) continue;
        for (const { body } of memoryParts(path, () => undefined))
          if (body.type === "note" && typeof body.content === "string")
            yield { text: body.content, path };
      }
    }
  },
};
