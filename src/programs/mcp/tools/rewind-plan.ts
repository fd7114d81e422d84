import { z } from "zod";
import { RepriseError } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { allCheckpoints, type Checkpoint } from "../../../snapshot/checkpoint.ts";
import { shownName } from "../../../snapshot/file-name.ts";
import { findCheckpoint } from "../../../snapshot/find-checkpoint.ts";
import { planRestore, type RestorePlan } from "../../../snapshot/plan.ts";
import { WorkingTree } from "../../../snapshot/working-tree.ts";
import { userHome } from "../../../store/home.ts";
import { count } from "../../cli/render/count.ts";
import { type Item, label } from "../answer.ts";
import { maxTokens, words } from "../fields.ts";
import { tool } from "../tool.ts";

/** `rewind_plan`: what going back to a checkpoint would do; it never does it. */
export const rewindPlan = tool({
  name: "rewind_plan",
  title: "Plan a rewind",
  description:
    "Lists which files would change if the project went back to a checkpoint. It never changes a file: the user does that. Without a checkpoint it lists the newest ones.",
  input: z.object({
    checkpoint: words("The number or label of a checkpoint", limits.titleChars).optional(),
    max_tokens: maxTokens,
  }),
  changes: "nothing",
  run: async ({ checkpoint }, call) => {
    const home = userHome(call.env);
    const tree = WorkingTree.open(call.env.cwd, { home, userHome: call.env.home, sync: false });
    try {
      const known = allCheckpoints(home).filter(({ folder }) => folder === tree.folder);
      if (checkpoint === undefined) return { head: listHead(known), items: listItems(known) };
      const target = findCheckpoint(known, checkpoint);
      if (target === undefined) throw noCheckpoint(checkpoint);
      const plan = tree.hold(() =>
        planRestore(tree.store, { present: tree.capture({ toward: target }), target }),
      );
      return {
        head: [
          `Going back to checkpoint ${target.number} (${target.at.slice(0, 16)}) would change ${plan.steps.length} paths and leave ${plan.left.length} that differ.`,
          "Nothing was changed. The user can do it with `reprise rewind`.",
        ],
        items: planItems(plan),
        tail: ({ shown }) => {
          const rest = plan.steps.length + plan.left.length - shown;
          return rest > 0 ? `${rest} more paths; raise max_tokens.` : undefined;
        },
      };
    } finally {
      tree.close();
    }
  },
});

function listHead(known: readonly Checkpoint[]): readonly string[] {
  return [
    known.length === 0
      ? "This project has no checkpoint."
      : `${count(known.length, "checkpoint")}, the newest first.`,
  ];
}

function listItems(known: readonly Checkpoint[]): readonly Item[] {
  return known.toReversed().map(({ number, at, reason, label: name, files }) => ({
    pieces: [
      `- checkpoint ${number} · ${at.slice(0, 16)} · ${reason} · ${files} files`,
      ...(name === undefined ? [] : [{ text: name, from: `checkpoint:${number}`, as: "label" }]),
    ],
  }));
}

function planItems({ steps, left }: RestorePlan): readonly Item[] {
  return [
    ...steps.map(({ path, from, to }) => {
      const does = to === undefined ? "delete" : from === undefined ? "create" : "restore";
      return { pieces: [`- ${does} ${label(shownName(path), 300)}`] };
    }),
    ...left.map(({ path, why }) => ({
      pieces: [`- leave ${label(shownName(path), 300)}: ${label(why)}`],
    })),
  ];
}

function noCheckpoint(name: string): RepriseError {
  return new RepriseError(
    "not_found",
    `No checkpoint of this project is ${JSON.stringify(name)}.`,
    {
      hint: "Ask without a checkpoint to see which there are.",
    },
  );
}
