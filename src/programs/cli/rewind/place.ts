import { type NamedSession, referenceTo, resolveReference } from "../../../agents/reference.ts";
import { isRepriseError, RepriseError } from "../../../base/errors.ts";
import { isWithin } from "../../../base/within.ts";
import { placedCheckpoints } from "../../../catalog/checkpoints/place.ts";
import { allCheckpoints, type Checkpoint } from "../../../snapshot/checkpoint.ts";
import { findCheckpoint } from "../../../snapshot/find-checkpoint.ts";
import { realPathOf } from "../../../store/project.ts";
import type { CommandContext } from "../run/command.ts";
import { checkpointAt, placeOfEvent } from "../sessions/checkpoint-at.ts";
import { homeOf } from "../sessions/native.ts";

/** A place to go back to, as it was named; each side is looked for when it is wanted. */
export interface RewindPlace {
  /** Whether it was named as a checkpoint. */
  readonly isCheckpoint: boolean;
  /** Whether it is bound to a session. */
  readonly hasSession: boolean;
  /** The session and its event; throws where there is none. */
  conversation(): Promise<NamedSession>;
  /** The checkpoint that has the files; throws where there is none. */
  files(): Promise<Checkpoint>;
}

/**
 * The place that words name: a checkpoint by number or label, an event of a session, or words of a checkpoint's label.
 * Labels count in this project alone: another one may have the same.
 */
export function placeNamed(text: string, context: CommandContext): RewindPlace {
  const checkpoints = allCheckpoints(homeOf(context));
  const cwd = realPathOf(context.env.cwd);
  const here = checkpoints.filter(({ folder }) => isWithin(cwd, folder));
  const named = [
    ...checkpoints.filter(({ number }) => text === String(number) || text === `#${number}`),
    ...here.filter(({ label }) => text === label),
  ];
  if (named.length > 0) return ofCheckpoint(findCheckpoint(named, text)!, context);
  // A number alone is never an event, though ids of sessions may begin with it.
  if (/^#?\d+$/.test(text)) throw noCheckpoint(text);
  try {
    return ofEvent(resolveReference(text, context), checkpoints);
  } catch (error) {
    const isUnknown = isRepriseError(error, "not_found");
    const found = isUnknown ? findCheckpoint(here, text) : undefined;
    if (found !== undefined) return ofCheckpoint(found, context);
    const elsewhere = isUnknown ? checkpoints.find(({ label }) => text === label) : undefined;
    if (elsewhere === undefined) throw error;
    throw new RepriseError("not_found", `No checkpoint of this project is called ${text}.`, {
      hint: `One of ${elsewhere.folder} is: \`reprise rewind ${elsewhere.number}\`.`,
    });
  }
}

function noCheckpoint(text: string): RepriseError {
  const number = text.replace("#", "");
  return new RepriseError("not_found", `There is no checkpoint ${number}.`, {
    hint: `\`reprise rewind\` lists where you can go back to. Event ${number} of the newest session is @last@${number}.`,
  });
}

function ofCheckpoint(checkpoint: Checkpoint, context: CommandContext): RewindPlace {
  const { number, agent, session } = checkpoint;
  return {
    isCheckpoint: true,
    hasSession: session !== undefined,
    files: async () => checkpoint,
    conversation: async () => {
      if (agent === undefined || session === undefined) {
        throw new RepriseError("unsupported", `Checkpoint ${number} has files and no session.`, {
          hint: "Bring its files back with --files.",
        });
      }
      const found = resolveReference(`${agent}:${session}`, context);
      const [placed] = await placedCheckpoints(found, [checkpoint]);
      const event = placed?.checkpoint.event;
      if (event !== undefined) return { ...found, event };
      throw new RepriseError(
        "not_found",
        `Checkpoint ${number} was taken before anything was said in ${referenceTo(found)}.`,
        { hint: "Bring its files back with --files." },
      );
    },
  };
}

function ofEvent(found: NamedSession, checkpoints: readonly Checkpoint[]): RewindPlace {
  const { event } = found;
  if (event === undefined) {
    throw new RepriseError("usage", "No event to go back to was named.", {
      hint: `Name it after the session: \`reprise rewind ${referenceTo(found)}@57\`. \`reprise rewind\` lists prompts.`,
    });
  }
  return {
    isCheckpoint: false,
    hasSession: true,
    conversation: async () => found,
    files: async () => {
      const place = await placeOfEvent(found, event);
      if (place === undefined) {
        throw new RepriseError("not_found", `There is no event ${event}.`, {
          hint: `See its events with \`reprise show ${referenceTo(found)}\`.`,
        });
      }
      const checkpoint = checkpointAt(found, place, checkpoints);
      if (checkpoint !== undefined) return checkpoint;
      throw new RepriseError("not_found", "No checkpoint was taken at this event or before it.", {
        hint: "Hooks take checkpoints automatically: `reprise hooks install`.",
      });
    },
  };
}
