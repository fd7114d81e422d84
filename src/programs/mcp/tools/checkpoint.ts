import { z } from "zod";
import { limits } from "../../../base/limits.ts";
import { recordCheckpoint } from "../../../snapshot/checkpoint.ts";
import { isIncomplete } from "../../../snapshot/snapshot.ts";
import { WorkingTree } from "../../../snapshot/working-tree.ts";
import { userHome } from "../../../store/home.ts";
import { maxTokens, words } from "../fields.ts";
import { needsWriting, tool } from "../tool.ts";

/** `checkpoint`: keeps the files of the project as they are now, as a place to come back to. */
export const checkpoint = tool({
  name: "checkpoint",
  title: "Take a checkpoint",
  description:
    "Keeps the files of this project as they are now, so that one can come back to them. No file is changed. Needs a server that may write.",
  input: z.object({
    label: words("What it is called", limits.titleChars).optional(),
    max_tokens: maxTokens,
  }),
  changes: "adds",
  run: async ({ label }, { env, write, owner }) => {
    if (!write) return needsWriting("A checkpoint");
    const home = userHome(env);
    const tree = WorkingTree.open(env.cwd, { home, userHome: env.home });
    try {
      const taken = tree.hold(() =>
        recordCheckpoint(home, tree.capture(), { reason: "asked", label, agent: owner }),
      );
      return {
        head: [
          `Checkpoint ${taken.number} has ${taken.files} files.`,
          ...(isIncomplete(taken) ? ["It is incomplete: some files could not be captured."] : []),
        ],
      };
    } finally {
      tree.close();
    }
  },
});
