import type { PlacedAct, ShellCall, Work } from "./session-work.ts";

/** Who changed something: an edit of an agent, a command an agent ran, or somebody outside the sessions. */
export type DiffMaker =
  | {
      readonly kind: "edit";
      readonly ref: string;
      readonly tool?: string;
      readonly prompt?: string;
    }
  | {
      readonly kind: "shell";
      readonly ref: string;
      readonly command: string;
      /** So many other commands ran as well and may have done it. */
      readonly others?: number;
    }
  | { readonly kind: "outside" };

/** The maker that an edit is. */
export function editMaker({ ref, tool, act }: PlacedAct): DiffMaker {
  return {
    kind: "edit",
    ref,
    ...(tool !== undefined && { tool }),
    ...(act.prompt !== undefined && { prompt: act.prompt }),
  };
}

/** How far a file's time may lie outside a command that wrote it: clocks of agents and disks are coarse. */
const slackMs = 1_500;

/**
 * Who made what no edit made: the command that ran when the file was written, where its time is known; else any command
 * of the span, the last one named; somebody outside where none ran.
 */
export function otherMaker(
  { shells }: Pick<Work, "shells">,
  changedMs: number | undefined,
): DiffMaker {
  const ran = changedMs === undefined ? shells : shells.filter((shell) => ranAt(shell, changedMs));
  const last = ran.at(-1);
  if (last === undefined) return { kind: "outside" };
  const { ref, command } = last;
  return { kind: "shell", ref, command, ...(ran.length > 1 && { others: ran.length - 1 }) };
}

function ranAt({ askedMs, doneMs }: ShellCall, atMs: number): boolean {
  return atMs >= askedMs - slackMs && atMs <= (doneMs ?? Number.POSITIVE_INFINITY) + slackMs;
}

/** The same makers, each once. */
export function eachOnce(makers: readonly DiffMaker[]): readonly DiffMaker[] {
  return [...new Map(makers.map((maker) => [JSON.stringify(maker), maker])).values()];
}
