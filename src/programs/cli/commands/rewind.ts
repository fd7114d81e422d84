import { relative, resolve, sep } from "node:path";
import { RepriseError } from "../../../base/errors.ts";
import type { Checkpoint } from "../../../snapshot/checkpoint.ts";
import { withRoom } from "../../../snapshot/keeping/budget-full.ts";
import { previewRestore, type Restored, restoreFiles } from "../../../snapshot/restore/restore.ts";
import { WorkingTree } from "../../../snapshot/working-tree.ts";
import { realPathOf } from "../../../store/project.ts";
import { askSides, type Sides } from "../rewind/ask.ts";
import { type ConversationMoved, planConversation } from "../rewind/conversation.ts";
import { changedOutside } from "../rewind/outside.ts";
import { placeNamed, type RewindPlace } from "../rewind/place.ts";
import { checkpointText, leftText, planText, stepsJson } from "../rewind/plan-text.ts";
import type { Command, CommandContext, Invocation } from "../run/command.ts";
import { confirmPlan, yesFlag } from "../run/plan.ts";
import { registerTakingBack } from "../run/taking-back.ts";
import { homeOf } from "../sessions/native.ts";
import { isTerminal } from "../terminal/output.ts";
import { progress } from "../terminal/progress.ts";

/** `reprise rewind`: goes back to a checkpoint or an event: the files, the conversation, or both. */
export const rewind: Command = {
  name: "rewind",
  summary: "go back to a checkpoint or an event: files, conversation, or both",
  details: `Files become what they were at a checkpoint; of an event, at the newest whole checkpoint before it. First the files
as they are now are kept in a checkpoint of their own. A path is deleted or overwritten only if its present content is in that
checkpoint and the target covers it; all others are left and named. Words behind \`--\` are paths: only these, and what lies
in them, come back. The conversation of a session of ours goes back by an event, and what came after stays in the log; of
another agent's session a fork is written that ends at the event. Without a choice you are asked on a terminal; elsewhere the
conversation alone goes back. \`reprise undo\` returns, and \`reprise redo\` goes forward again.`,
  args: [{ name: "<to...>", says: "a checkpoint (number or label), or an event: ref@57" }],
  flags: [
    { flags: "--files", says: "bring the files back, not the conversation", kind: "switch" },
    { flags: "--conversation", says: "move the conversation back, not the files", kind: "switch" },
    { flags: "--both", says: "bring back files and conversation", kind: "switch" },
    { flags: "--reason <text>", says: "why, for the log", kind: "text" },
    yesFlag,
  ],
  examples: [
    { line: "reprise rewind 12 --files", says: "show what would come back with checkpoint 12" },
    { line: "reprise rewind 3f9a@57 --both --yes", says: "files and conversation as of event 57" },
    { line: "reprise rewind 12 --yes -- src/a.ts docs", says: "one file and one folder alone" },
    { line: "reprise rewind @last@12 --yes", says: "the next event follows event 12" },
  ],
  json: `{ done: boolean, session?: string, to?: number | string, from?: number, event?: number, agent?: string, fork?: string,
  files?: { folder: string, checkpoint: number, safety?: number, entry?: number,
    steps: { path: string, action: "create" | "change" | "delete", outside?: true }[],
    left: { path: string, why: string }[] } }`,
  pathsBehind: true,
  changes: ({ flags }) => flags.isSet("yes"),
  run: async (invocation, context) => {
    const place = placeNamed(invocation.args.join(" "), context);
    const sides = await sidesOf(invocation, context, place);
    const checkpoint = sides.files ? await place.files() : undefined;
    const conversation = sides.conversation
      ? await planConversation(await place.conversation(), context, {
          reason: invocation.flags.text("reason"),
        })
      : undefined;
    registerTakingBack();
    if (checkpoint === undefined) {
      const { text, json, move } = conversation!;
      await confirmPlan({ text: `${text}\n`, json }, invocation, context);
      const moved = await move({});
      if (context.json) return context.out.writeJson({ ...moved.json, done: true });
      return context.out.note(moved.says);
    }
    const request = {
      target: checkpoint,
      ...(invocation.paths !== undefined && { paths: pathsIn(checkpoint, invocation, context) }),
    };
    const tree = openTree(checkpoint, context);
    try {
      // What is there now must be kept first: older checkpoints make room for it.
      const keep = [checkpoint.number];
      const preview = withRoom(homeOf(context), () => previewRestore(tree, request), { keep });
      if (!invocation.flags.isSet("yes")) {
        const { plan } = preview;
        const outside = await changedOutside(preview, checkpoint, context);
        const files = {
          folder: tree.folder,
          checkpoint: checkpoint.number,
          steps: stepsJson(plan, outside),
          left: plan.left,
        };
        const text = [
          `Back to ${checkpointText(checkpoint, context)}.`,
          planText(plan, { outside, target: checkpoint }),
          ...(conversation === undefined ? [] : [conversation.text]),
          "",
        ].join("\n");
        return await confirmPlan(
          { text, json: { ...conversation?.json, files } },
          invocation,
          context,
        );
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
        about: { agent: checkpoint.agent, session: checkpoint.session },
        ...(conversation !== undefined && {
          alongside: async (of) => {
            moved = await conversation.move({ of });
            return moved.entry;
          },
        }),
      }).finally(told.end);
      await report({ restored, checkpoint, moved }, context);
    } finally {
      tree.close();
    }
  },
};

/** Which sides go back: by the flags, by asking, else the conversation where there is one. */
async function sidesOf(
  { flags, paths }: Invocation,
  context: CommandContext,
  { hasSession }: RewindPlace,
): Promise<Sides> {
  const given = (["files", "conversation", "both"] as const).filter((name) => flags.isSet(name));
  if (given.length > 1) {
    throw new RepriseError("usage", "Give one of --files, --conversation and --both.");
  }
  const [choice] = given;
  if (choice === "conversation" && paths !== undefined) {
    throw new RepriseError("usage", "Paths go with files, not with --conversation.");
  }
  if (choice !== undefined)
    return { files: choice !== "conversation", conversation: choice !== "files" };
  if (paths !== undefined || !hasSession) return { files: true, conversation: false };
  if (!context.json && isTerminal(0) && isTerminal(1)) return askSides();
  return { files: false, conversation: true };
}

function openTree({ folder }: Checkpoint, context: CommandContext): WorkingTree {
  return WorkingTree.open(folder, { home: homeOf(context), userHome: context.env.home });
}

/** The paths behind `--`, from the checkpoint's folder. */
function pathsIn(
  { folder }: Checkpoint,
  { paths = [] }: Invocation,
  context: CommandContext,
): readonly string[] {
  return paths.map((path) => {
    const from = realPathOf(context.folder);
    const within = relative(folder, resolve(from, path)).split(sep).join("/");
    if (within !== ".." && !within.startsWith("../")) return within;
    throw new RepriseError("usage", `${path} is not in ${folder}.`);
  });
}

async function report(
  done: {
    readonly restored: Restored;
    readonly checkpoint: Checkpoint;
    readonly moved: ConversationMoved | undefined;
  },
  context: CommandContext,
): Promise<void> {
  const { restored, checkpoint, moved } = done;
  const { plan, entry, safety, left } = restored;
  if (context.json) {
    const files = {
      folder: plan.folder,
      checkpoint: checkpoint.number,
      ...(safety !== undefined && { safety: safety.number }),
      ...(entry !== undefined && { entry }),
      steps: stepsJson(plan, new Set()),
      left,
    };
    return context.out.writeJson({ ...moved?.json, files, done: true });
  }
  const count = restored.done === 1 ? "1 path is" : `${restored.done} paths are`;
  const lines = [
    restored.done === 0
      ? `Nothing in ${plan.folder} had to change.`
      : `${count} as at ${checkpointText(checkpoint, context)}.`,
    ...leftText(left),
    ...(moved === undefined ? [] : [moved.says]),
    ...(entry === undefined ? [] : ["`reprise undo --yes` returns."]),
  ];
  context.out.note(lines.join("\n"));
}
