import { RepriseError } from "../../../base/errors.ts";
import { withRoom } from "../../../snapshot/keeping/budget-full.ts";
import { previewRestore, type Restored, restoreFiles } from "../../../snapshot/restore/restore.ts";
import type { WorkingTree } from "../../../snapshot/working-tree.ts";
import { type Aim, aimAtCheckpoint, aimWithoutCall, openTree } from "../rewind/aim.ts";
import { askSides, type Sides } from "../rewind/ask.ts";
import {
  type ConversationMoved,
  type ConversationPlan,
  planConversation,
} from "../rewind/conversation.ts";
import { listPlaces } from "../rewind/list-places.ts";
import { changedOutside } from "../rewind/outside.ts";
import { placeNamed, type RewindPlace } from "../rewind/place.ts";
import { conflictText, leftText, planText, stepsJson } from "../rewind/plan-text.ts";
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
  details: `Files return to what they were at a checkpoint; for an event, at the newest complete checkpoint before it. The
present files are first kept in a checkpoint of their own. A path is deleted or overwritten only if that checkpoint has its
present content and the target covers it; all others are left and listed. Words after \`--\` are paths: only these, and what
is in them, are restored. --call undoes only what one call did; if the same file was changed since, both changes are merged,
and conflicts are marked in the file. In Reprise's own sessions the conversation goes back, and later events stay in the log;
for another agent's session, a fork that ends at the event is written. Without --files, --conversation or --both you are
asked on a terminal; otherwise only the conversation goes back. \`reprise undo\` returns, \`reprise redo\` goes forward
again.`,
  args: [
    {
      name: "[to...]",
      says: "a checkpoint (number or label) or an event (ref@57); none lists where you can go back to",
    },
  ],
  flags: [
    { flags: "--files", says: "bring the files back, not the conversation", kind: "switch" },
    { flags: "--conversation", says: "move the conversation back, not the files", kind: "switch" },
    { flags: "--both", says: "bring back files and conversation", kind: "switch" },
    {
      flags: "--call <event>",
      says: "undo only what this call of the session did to files",
      kind: "event",
    },
    { flags: "--hunks", says: "choose on the terminal which changes to undo", kind: "switch" },
    { flags: "--reason <text>", says: "record why, in the log", kind: "text" },
    yesFlag,
  ],
  examples: [
    { line: "reprise rewind", says: "list checkpoints and prompts you can go back to" },
    { line: "reprise rewind 12 --files", says: "show what would come back with checkpoint 12" },
    { line: "reprise rewind 3f9a@57 --both --yes", says: "files and conversation as of event 57" },
    { line: "reprise rewind 12 --yes -- src/a.ts docs", says: "one file and one folder alone" },
    { line: "reprise rewind 3f9a --call 57 --yes", says: "undo only what call 57 did" },
    { line: "reprise rewind @last@12 --yes", says: "the next event follows event 12" },
  ],
  json: `without a place: { checkpoints: Checkpoint[], prompts: { ref: string, prompt: string }[] }
else { done: boolean, session?: string, to?: number | string, from?: number, event?: number, agent?: string, fork?: string,
  files?: { folder: string, checkpoint?: number, conflicts?: string[], safety?: number, entry?: number,
    steps: { path: string, action: "create" | "change" | "delete", outside?: true }[],
    left: { path: string, why: string }[] } }`,
  pathsBehind: true,
  changes: ({ flags }) => flags.isSet("yes"),
  run: async (invocation, context) => {
    registerTakingBack();
    const to = invocation.args.join(" ");
    if (to === "") return listPlaces(context);
    const call = invocation.flags.text("call");
    if (call !== undefined) {
      refuseWithCall(invocation);
      const { aim, tree } = await aimWithoutCall(to, call, context);
      return moveFiles({ aim, tree, conversation: undefined }, { invocation, context });
    }
    const place = placeNamed(to, context);
    const sides = await sidesOf(invocation, context, place);
    const checkpoint = sides.files ? await place.files() : undefined;
    const conversation = sides.conversation
      ? await planConversation(await place.conversation(), context, {
          reason: invocation.flags.text("reason"),
        })
      : undefined;
    if (checkpoint === undefined) {
      const { text, json, move } = conversation!;
      const isChosen = invocation.flags.isSet("conversation");
      const left =
        place.isCheckpoint && !isChosen
          ? "\nFiles stay as they are; add --files or --both to bring them back."
          : "";
      await confirmPlan({ text: `${text}${left}\n`, json }, invocation, context);
      const moved = await move({});
      if (context.json) return context.out.writeJson({ ...moved.json, done: true });
      return context.out.note(`${moved.says}${left}`);
    }
    const tree = openTree(checkpoint.folder, context);
    const aim = await aimAtCheckpoint(checkpoint, tree, { invocation, context }).catch((error) => {
      tree.close();
      throw error;
    });
    return moveFiles({ aim, tree, conversation }, { invocation, context });
  },
};

/** Everything that a rewind of files is about. */
interface Move {
  readonly aim: Aim;
  readonly tree: WorkingTree;
  readonly conversation: ConversationPlan | undefined;
}

/** Shows the plan, or does it and says what came of it; the folder is closed in the end. */
async function moveFiles(
  { aim, tree, conversation }: Move,
  { invocation, context }: { readonly invocation: Invocation; readonly context: CommandContext },
): Promise<void> {
  const { request, checkpoint } = aim;
  try {
    // What is there now must be kept first: older checkpoints make room for it.
    const keep = checkpoint === undefined ? [] : [checkpoint.number];
    const preview = withRoom(homeOf(context), () => previewRestore(tree, request), { keep });
    if (!invocation.flags.isSet("yes")) {
      const { plan } = preview;
      const outside =
        checkpoint === undefined
          ? new Set<string>()
          : await changedOutside(preview, checkpoint, context);
      const files = {
        ...filesJson(aim, tree.folder),
        steps: stepsJson(plan, outside),
        left: [...plan.left, ...aim.left],
      };
      const text = [
        `Files ${checkpoint === undefined ? aim.name : `as at ${aim.name}`}.`,
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
    await report({ restored, aim, moved }, context);
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

function refuseWithCall({ flags, paths }: Invocation): void {
  const given = ["conversation", "both", "hunks"].find((name) => flags.isSet(name));
  if (given === undefined && paths === undefined) return;
  throw new RepriseError("usage", `--call goes without ${given ? `--${given}` : "paths"}.`);
}

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
  const isSome = paths !== undefined || flags.isSet("hunks");
  if (choice === "conversation" && isSome) {
    throw new RepriseError("usage", "Paths and hunks go with files, not with --conversation.");
  }
  if (choice !== undefined)
    return { files: choice !== "conversation", conversation: choice !== "files" };
  if (isSome || !hasSession) return { files: true, conversation: false };
  if (!context.json && isTerminal(0) && isTerminal(1)) return askSides();
  return { files: false, conversation: true };
}

async function report(
  done: {
    readonly restored: Restored;
    readonly aim: Aim;
    readonly moved: ConversationMoved | undefined;
  },
  context: CommandContext,
): Promise<void> {
  const { restored, aim, moved } = done;
  const { plan, entry, safety } = restored;
  const left = [...restored.left, ...aim.left];
  if (context.json) {
    const files = {
      ...filesJson(aim, plan.folder),
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
      : `${count} ${aim.checkpoint === undefined ? aim.name : `as at ${aim.name}`}.`,
    ...leftText(left),
    ...conflictText(aim.conflicts),
    ...(moved === undefined ? [] : [moved.says]),
    ...(entry === undefined ? [] : ["`reprise undo --yes` returns."]),
  ];
  context.out.note(lines.join("\n"));
}
