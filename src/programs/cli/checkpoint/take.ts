import { type FoundSession, findSessions } from "../../../agents/find-sessions.ts";
import { referenceTo } from "../../../agents/reference.ts";
import { isRepriseError } from "../../../base/errors.ts";
import { isWithin } from "../../../base/within.ts";
import { type Moment, momentsOf } from "../../../catalog/checkpoints/moments.ts";
import type { Checkpoint, CheckpointAbout } from "../../../snapshot/checkpoint.ts";
import { checkpointFolder } from "../../../snapshot/checkpoint-folder.ts";
import { tidyCheckpoints, tidyIsDue } from "../../../snapshot/keeping/tidy.ts";
import { realPathOf } from "../../../store/project.ts";
import { checkpointJson } from "../render/checkpoint-json.ts";
import { takenText } from "../render/checkpoint-text.ts";
import { count } from "../render/count.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { homeOf, isNative, openNative } from "../sessions/native.ts";
import { type SessionInHand, sessionInHand } from "../sessions/session-in-hand.ts";
import { progress } from "../terminal/progress.ts";
import { wantedFolder } from "./wanted.ts";

/** Takes a checkpoint of the project's files, bound to the session in hand; without a session of the files alone. */
export async function takeCheckpoint(
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const { flags } = invocation;
  const inHand = sessionFor(invocation, context);
  const label = flags.text("message");
  const about: CheckpointAbout = {
    reason: "asked",
    ...(label !== undefined && { label }),
    ...(inHand && (await boundTo(inHand))),
  };
  const told = progress(context, {
    verb: "Captured",
    toFile: true,
    amount: (files) => count(files, "file"),
  });
  let checkpoint: Checkpoint;
  try {
    checkpoint = checkpointFolder(folderFor(invocation, context, inHand), {
      home: homeOf(context),
      userHome: context.env.home,
      about,
      onFiles: told.add,
    });
  } finally {
    told.end();
  }
  if (inHand !== undefined) await sayInSession(inHand, checkpoint, context);
  if (tidyIsDue(homeOf(context))) tidyCheckpoints(homeOf(context), { waitMs: 0 });
  if (context.json) return context.out.writeJson(checkpointJson(checkpoint));
  await context.out.write(takenText(checkpoint));
  const { number } = checkpoint;
  context.out.note(
    `\`reprise diff ${number}\` shows what changed since; \`reprise rewind ${number} --files --yes\` goes back to it.`,
  );
}

/** The session that was named or is at work here; a folder may have none. */
function sessionFor({ flags }: Invocation, context: CommandContext): SessionInHand | undefined {
  const named = flags.text("session");
  try {
    return sessionInHand(named, context);
  } catch (error) {
    if (named !== undefined || !isRepriseError(error, "not_found")) throw error;
    const above = sessionAbove(context);
    return above === undefined ? undefined : sessionInHand(referenceTo(above), context);
  }
}

/** The newest session in a folder that holds this one: without a repository nothing else says where a project begins. */
function sessionAbove(context: CommandContext): FoundSession | undefined {
  const here = realPathOf(context.env.cwd);
  const home = realPathOf(context.env.home);
  return findSessions(context, { kind: "conversation" }).find(({ head }) => {
    const own = head.cwd === undefined ? undefined : realPathOf(head.cwd);
    return own !== undefined && isWithin(here, own) && !isWithin(home, own);
  });
}

/** A session's folder is what its checkpoints are of, also where the command runs deeper in it. */
function folderFor(
  invocation: Invocation,
  context: CommandContext,
  inHand: SessionInHand | undefined,
): string {
  const here = wantedFolder(invocation, context);
  if (invocation.flags.text("folder") !== undefined || inHand === undefined) return here;
  const own = realPathOf(inHand.cwd);
  const isHome = isWithin(realPathOf(context.env.home), own);
  return isWithin(here, own) && !isHome ? own : here;
}

async function boundTo(inHand: SessionInHand): Promise<Partial<CheckpointAbout>> {
  const { agent, session, found, isSealed } = inHand;
  if (found === undefined || isSealed) return { agent, session };
  let last: Moment | undefined;
  for await (const moment of momentsOf(found)) last = moment;
  if (last === undefined) return { agent, session };
  const { event, uuid, messages, tokens } = last;
  return {
    agent,
    session,
    event,
    messages,
    ...(uuid !== undefined && { uuid }),
    ...(tokens !== undefined && { tokens }),
  };
}

/** A session of ours says itself that there is a checkpoint. */
async function sayInSession(
  { found, isSealed }: SessionInHand,
  { number, label, tree }: Checkpoint,
  context: CommandContext,
): Promise<void> {
  if (found === undefined || isSealed || !isNative(found)) return;
  try {
    const session = openNative(found, context);
    try {
      await session.append({
        type: "checkpoint",
        ...(label !== undefined && { label }),
        snapshot: tree,
        data: { checkpoint: number },
      });
    } finally {
      await session.close();
    }
  } catch (error) {
    if (!isRepriseError(error)) throw error;
    context.out.note(
      `The checkpoint is there, but ${referenceTo(found)} does not mention it: ${error.message}`,
    );
  }
}
