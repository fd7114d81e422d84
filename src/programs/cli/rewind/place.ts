import { type NamedSession, referenceTo, resolveReference } from "../../../agents/reference.ts";
import { isRepriseError, RepriseError } from "../../../base/errors.ts";
import { placedCheckpoints } from "../../../catalog/checkpoints/place.ts";
import type { Checkpoint } from "../../../snapshot/checkpoint.ts";
import { endedBefore } from "../resume/ending.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { checkpointAt, placeOfEvent } from "../sessions/checkpoint-at.ts";
import {
  isCheckpointNumber,
  namedCheckpoints,
  noCheckpoint,
} from "../sessions/named-checkpoint.ts";

/** A place to go back to, as it was named; each side is looked for when it is wanted. */
export interface RewindPlace {
  /** Whether it was named as a checkpoint. */
  readonly isCheckpoint: boolean;
  /** The event it was named by, if it was. */
  readonly event?: string;
  /** Whether it is bound to a session. */
  readonly hasSession: boolean;
  /** The session and its event; throws where there is none. */
  conversation(): Promise<NamedSession>;
  /** The checkpoint that has the files; throws where there is none. */
  files(): Promise<Checkpoint>;
}

/**
 * The place that words name: a checkpoint by number or label, an event of a session, or words of a checkpoint's label.
 */
export function placeNamed(text: string, context: CommandContext): RewindPlace {
  const checkpoints = namedCheckpoints(context);
  const named = checkpoints.exactly(text);
  if (named !== undefined) return ofCheckpoint(named, context);
  // A number alone is never an event, though ids of sessions may begin with it.
  if (isCheckpointNumber(text)) throw noCheckpoint(text);
  try {
    return ofEvent(resolveReference(text, context), checkpoints.all);
  } catch (error) {
    const found = isRepriseError(error, "not_found") ? checkpoints.loosely(text) : undefined;
    if (found === undefined) throw error;
    return ofCheckpoint(found, context);
  }
}

/** The place before an event of a session, such as a prompt, so that something else can be asked. */
export async function placeBefore(
  text: string,
  invocation: Invocation,
  context: CommandContext,
): Promise<RewindPlace> {
  const { all, exactly } = namedCheckpoints(context);
  if (exactly(text) !== undefined || isCheckpointNumber(text)) {
    throw new RepriseError("usage", "--before goes with an event, not with a checkpoint.", {
      hint: "Name an event after its session: `reprise rewind @last@57 --before`.",
    });
  }
  return ofEvent(await endedBefore(resolveReference(text, context), invocation), all);
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
    event,
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
