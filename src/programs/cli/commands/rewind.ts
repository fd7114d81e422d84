import { RepriseError } from "../../../base/errors.ts";
import { aimInTree, aimWithoutCall } from "../rewind/aim.ts";
import { askSides, type Sides } from "../rewind/ask.ts";
import { planConversation } from "../rewind/conversation.ts";
import { type Move, moveFiles } from "../rewind/move-files.ts";
import { placeNamed, type RewindPlace } from "../rewind/place.ts";
import type { Command, CommandContext, Invocation } from "../run/command.ts";
import { confirmPlan, yesFlag } from "../run/plan.ts";
import { registerTakingBack } from "../run/taking-back.ts";
import { isTerminal } from "../terminal/output.ts";

/** `reprise rewind`: goes back to a checkpoint or an event: the files, the conversation, or both. */
export const rewind: Command = {
  name: "rewind",
  summary: "go back to a checkpoint or an event: files, conversation, or both",
  details: `Files become what they were at a checkpoint; of an event, at the newest whole checkpoint before it. First the files
as they are now are kept in a checkpoint of their own. A path is deleted or overwritten only if its present content is in that
checkpoint and the target covers it; all others are left and named. Words behind \`--\` are paths: only these, and what lies
in them, come back. With --call only what one call did is taken back; if somebody changed the same file since, both changes
are merged, and what cannot be merged stands in the file between marks. The conversation of a session of ours goes back by an event, and what came after stays in the log; of
another agent's session a fork is written that ends at the event. Without a choice you are asked on a terminal; elsewhere the
conversation alone goes back. \`reprise undo\` returns, and \`reprise redo\` goes forward again.`,
  args: [{ name: "<to...>", says: "a checkpoint (number or label), or an event: ref@57" }],
  flags: [
    { flags: "--files", says: "bring the files back, not the conversation", kind: "switch" },
    { flags: "--conversation", says: "move the conversation back, not the files", kind: "switch" },
    { flags: "--both", says: "bring back files and conversation", kind: "switch" },
    {
      flags: "--call <event>",
      says: "undo only what this call of the session did to files",
      kind: "event",
    },
    { flags: "--hunks", says: "choose on the terminal which changes go back", kind: "switch" },
    { flags: "--reason <text>", says: "why, for the log", kind: "text" },
    yesFlag,
  ],
  examples: [
    { line: "reprise rewind 12 --files", says: "show what would come back with checkpoint 12" },
    { line: "reprise rewind 3f9a@57 --both --yes", says: "files and conversation as of event 57" },
    { line: "reprise rewind 12 --yes -- src/a.ts docs", says: "one file and one folder alone" },
    { line: "reprise rewind 3f9a --call 57 --yes", says: "without what call 57 did, and no more" },
    { line: "reprise rewind @last@12 --yes", says: "the next event follows event 12" },
  ],
  json: `{ done: boolean, session?: string, to?: number | string, from?: number, event?: number, agent?: string, fork?: string,
  files?: { folder: string, checkpoint?: number, conflicts?: string[], safety?: number, entry?: number,
    steps: { path: string, action: "create" | "change" | "delete", outside?: true }[],
    left: { path: string, why: string }[] } }`,
  pathsBehind: true,
  changes: ({ flags }) => flags.isSet("yes"),
  run: async (invocation, context) => {
    registerTakingBack();
    const to = invocation.args.join(" ");
    const call = invocation.flags.text("call");
    if (call !== undefined) {
      refuseWithCall(invocation);
      const { aim, tree } = await aimWithoutCall(to, call, context);
      return moved({ aim, tree, conversation: undefined }, { invocation, context });
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
    const { aim, tree } = await aimInTree(checkpoint, { invocation, context });
    return moved({ aim, tree, conversation }, { invocation, context });
  },
};

async function moved(
  move: Move,
  on: { readonly invocation: Invocation; readonly context: CommandContext },
): Promise<void> {
  const { json, says } = await moveFiles(move, on);
  if (on.context.json) return on.context.out.writeJson({ ...json, done: true });
  on.context.out.note(says);
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
