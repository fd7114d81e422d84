import { hiddenSince } from "../../../snapshot/hidden-since.ts";
import { withRoom } from "../../../snapshot/keeping/budget-full.ts";
import { previewRestore, type Restored, restoreFiles } from "../../../snapshot/restore/restore.ts";
import type { WorkingTree } from "../../../snapshot/working-tree.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { confirmPlan } from "../run/plan.ts";
import { homeOf } from "../sessions/native.ts";
import { progress } from "../terminal/progress.ts";
import type { Aim } from "./aim.ts";
import type { ConversationMoved, ConversationPlan } from "./conversation.ts";
import { changedOutside } from "./outside.ts";
import { conflictText, leftText, outsideText, planText, stepsJson } from "./plan-text.ts";

/** Everything that a rewind of files is about. */
export interface Move {
  readonly aim: Aim;
  readonly tree: WorkingTree;
  readonly conversation: ConversationPlan | undefined;
}

/** What came of a move: for programs, and for people. */
export interface Moved {
  readonly json: object;
  readonly says: string;
}

/** Shows the plan and throws `needs_yes`, or does it; the folder is closed in the end. */
export async function moveFiles(
  { aim: wanted, tree, conversation }: Move,
  { invocation, context }: { readonly invocation: Invocation; readonly context: CommandContext },
): Promise<Moved> {
  const { request, checkpoint } = wanted;
  try {
    // What is there now must be kept first: older checkpoints make room for it.
    const keep = checkpoint === undefined ? [] : [checkpoint.number];
    const preview = withRoom(homeOf(context), () => previewRestore(tree, request), { keep });
    const { present } = preview;
    const hidden = hiddenSince(tree.store, { present, ...request });
    const aim = { ...wanted, left: [...wanted.left, ...hidden] };
    const outside =
      checkpoint === undefined
        ? new Set<string>()
        : await changedOutside(preview, checkpoint, context);
    if (!invocation.flags.isSet("yes")) {
      const { plan } = preview;
      const files = {
        ...filesJson(aim, tree.folder),
        steps: stepsJson(plan, outside),
        left: [...plan.left, ...aim.left],
      };
      const text = [
        `Files ${checkpoint === undefined ? aim.name : `as they were at ${aim.name}`}.`,
        planText({ ...plan, left: files.left }, { outside, target: checkpoint }),
        ...conflictText(aim.conflicts),
        ...(conversation === undefined ? [] : [conversation.text]),
        "",
      ].join("\n");
      await confirmPlan({ text, json: { ...conversation?.json, files } }, invocation, context);
    }
    const told = progress(context, {
      verb: "Restoring",
      toFile: true,
      amount: (done) => `${done.toLocaleString("en")} paths`,
    });
    let moved: ConversationMoved | undefined;
    const restored = await restoreFiles(tree, request, {
      env: context.env,
      onStep: told.add,
      about: { agent: checkpoint?.agent, session: checkpoint?.session },
      ...(conversation !== undefined && {
        alongside: async (of) => {
          moved = await conversation.move({ of });
          return moved.entry;
        },
      }),
    }).finally(told.end);
    return movedOf({ restored, aim, moved, outside });
  } finally {
    tree.close();
  }
}

function filesJson({ checkpoint, conflicts }: Aim, folder: string): object {
  return {
    folder,
    ...(checkpoint !== undefined && { checkpoint: checkpoint.number }),
    ...(conflicts.length > 0 && { conflicts }),
  };
}

function movedOf(done: {
  readonly restored: Restored;
  readonly aim: Aim;
  readonly moved: ConversationMoved | undefined;
  readonly outside: ReadonlySet<string>;
}): Moved {
  const { restored, aim, moved, outside } = done;
  const { plan, entry, safety } = restored;
  const left = [...restored.left, ...aim.left];
  const files = {
    ...filesJson(aim, plan.folder),
    ...(safety !== undefined && { safety: safety.number }),
    ...(entry !== undefined && { entry }),
    steps: stepsJson(plan, outside),
    left,
  };
  const [paths, were] =
    restored.done === 1 ? ["1 path is", "it was"] : [`${restored.done} paths are`, "they were"];
  const lines = [
    restored.done === 0
      ? `Nothing in ${plan.folder} had to change.`
      : `${paths} ${aim.checkpoint === undefined ? aim.name : `as ${were} at ${aim.name}`}.`,
    ...(aim.checkpoint === undefined ? [] : outsideText(plan, { outside, safety })),
    ...leftText(left),
    ...conflictText(aim.conflicts),
    ...(moved === undefined ? [] : [moved.says]),
    ...(entry === undefined ? [] : ["`reprise undo --yes` takes this back."]),
  ];
  return { json: { ...moved?.json, files }, says: lines.join("\n") };
}
