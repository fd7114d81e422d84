import { RepriseError } from "../../../base/errors.ts";
import { isWithin } from "../../../base/within.ts";
import { realPathOf } from "../../../store/project.ts";
import { aimInTree } from "../rewind/aim.ts";
import { type Moved, moveFiles } from "../rewind/move-files.ts";
import { placeNamed } from "../rewind/place.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { registerTakingBack } from "../run/taking-back.ts";
import type { SessionInHand } from "../sessions/session-in-hand.ts";

/**
 * Puts the files of a checkpoint back as `rewind --files` does: a plan without `--yes`, a checkpoint of what is there
 * first, and an entry to undo it. Throws if the checkpoint is of another folder than the session.
 */
export async function restoreFilesOf(
  { cwd }: SessionInHand,
  named: string,
  on: { readonly invocation: Invocation; readonly context: CommandContext },
): Promise<Moved> {
  registerTakingBack();
  const checkpoint = await placeNamed(named, on.context).files();
  const folder = realPathOf(cwd);
  if (!isWithin(folder, checkpoint.folder) && !isWithin(checkpoint.folder, folder))
    throw new RepriseError(
      "conflict",
      `Checkpoint ${checkpoint.number} has the files of ${checkpoint.folder}; the session ran in ${cwd}.`,
      { hint: `Bring its files back with \`reprise rewind ${checkpoint.number} --files\`.` },
    );
  const { aim, tree } = await aimInTree({ checkpoint }, on);
  return moveFiles({ aim, tree, conversation: undefined }, on);
}
