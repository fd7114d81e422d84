import { RepriseError } from "../../../base/errors.ts";
import { beforeFlag } from "../resume/ending.ts";
import { aimInTree, aimWithoutCall } from "../rewind/aim.ts";
import { askSides, type Sides } from "../rewind/ask.ts";
import { planConversation } from "../rewind/conversation.ts";
import { listPlaces } from "../rewind/list-places.ts";
import { type Move, moveFiles } from "../rewind/move-files.ts";
import { placeBefore, placeNamed, type RewindPlace } from "../rewind/place.ts";
import type { Command, CommandContext, Invocation } from "../run/command.ts";
import { confirmPlan, yesFlag } from "../run/plan.ts";
import { registerTakingBack } from "../run/taking-back.ts";
import { isTerminal } from "../terminal/output.ts";

/** `reprise rewind`: goes back to a checkpoint or an event: the files, the conversation, or both. */
export const rewind: Command = {
  name: "rewind",
  summary: "go back to a checkpoint or an event: files, conversation, or both",
  details: `Files return to what they were at a checkpoint; for an event, at the newest complete checkpoint before it. The
present files are first kept in a checkpoint of their own. A path is deleted or overwritten only if that checkpoint has its
present content and the target covers it; all others are left and listed. Words after \`--\` are paths: only these, and what
is in them, are restored. --call undoes only what one call did; if the same file was changed since, both changes are merged,
and conflicts are marked in the file. In Reprise's own sessions the conversation goes back, and later events stay in the log;
for another agent's session, a fork that ends at the event is written. If the event is a prompt, it stays as the last one,
unanswered; with --before you go back to before it, so that something else can be asked. Without --files,
--conversation or --both you are asked on a terminal. Without a terminal only the conversation goes back; if the checkpoint
belongs to no session, or paths are named, only files. Nothing changes without --yes. \`reprise undo\` returns, \`reprise redo\`
goes forward again.`,
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
    beforeFlag,
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
    if (to === "") {
      refuseWithoutPlace(invocation);
      return listPlaces(context);
    }
    const call = invocation.flags.text("call");
    if (call !== undefined) {
      refuseWithCall(invocation);
      const { aim, tree } = await aimWithoutCall(to, call, context);
      return moved({ aim, tree, conversation: undefined }, { invocation, context });
    }
    const place = invocation.flags.isSet("before")
      ? await placeBefore(to, invocation, context)
      : placeNamed(to, context);
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
    const { event } = place;
    const { aim, tree } = await aimInTree({ checkpoint, event }, { invocation, context });
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

/** Without a place nothing goes back: a list alone would look as if it had. */
function refuseWithoutPlace({ flags, paths }: Invocation): void {
  if (flags.text("call") !== undefined) {
    throw new RepriseError("usage", "No session was named.", {
      hint: "Name it before the call: `reprise rewind @last --call 57`.",
    });
  }
  const isMeant = ["files", "conversation", "both", "before", "hunks", "yes"].some((name) =>
    flags.isSet(name),
  );
  if (!isMeant && paths === undefined) return;
  throw new RepriseError("usage", "No place to go back to was named.", {
    hint: "`reprise rewind` lists checkpoints and prompts you can go back to.",
  });
}

function refuseWithCall({ flags, paths }: Invocation): void {
  const given = ["conversation", "both", "before", "hunks"].find((name) => flags.isSet(name));
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
