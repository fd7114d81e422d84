import { resolve } from "node:path";
import { findSessions } from "../../../agents/find-sessions.ts";
import type { FoundSession } from "../../../agents/newest-sessions.ts";
import { RepriseError } from "../../../base/errors.ts";
import { isWithin } from "../../../base/within.ts";
import { type PlacedCheckpoint, placedCheckpoints } from "../../../catalog/checkpoints/place.ts";
import { allCheckpoints, type Checkpoint } from "../../../snapshot/checkpoint.ts";
import { findCheckpoint } from "../../../snapshot/find-checkpoint.ts";
import { realPathOf } from "../../../store/project.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { homeOf } from "../sessions/native.ts";

/** The folder a command is about: the one that was named, or where it runs. */
export function wantedFolder({ flags }: Invocation, context: CommandContext): string {
  return realPathOf(resolve(context.folder, flags.text("folder") ?? "."));
}

/** The checkpoints a command is about: of the project's folder, what lies in it or what holds it; or all. */
export function wantedCheckpoints(
  invocation: Invocation,
  context: CommandContext,
): readonly Checkpoint[] {
  const all = allCheckpoints(homeOf(context));
  if (invocation.flags.isSet("all")) return all;
  const here = wantedFolder(invocation, context);
  return all.filter(({ folder }) => isWithin(folder, here) || isWithin(here, folder));
}

/** The one checkpoint a text names: by number, label, words of it, or the id of a message; throws where there is none. */
export async function namedCheckpoint(
  text: string,
  invocation: Invocation,
  context: CommandContext,
): Promise<PlacedCheckpoint> {
  const all = allCheckpoints(homeOf(context));
  const found = findCheckpoint(all, text);
  if (found !== undefined) return (await placedIn([found], context))[0]!;
  const placed = await placedIn(wantedCheckpoints(invocation, context), context);
  const byId = findCheckpoint(
    placed.map(({ checkpoint }) => checkpoint),
    text,
  );
  const wanted = placed.find(({ checkpoint }) => checkpoint === byId);
  if (wanted !== undefined) return wanted;
  throw new RepriseError("not_found", `No checkpoint matches ${JSON.stringify(text)}.`, {
    hint: "`reprise checkpoint list --all` shows what is there.",
  });
}

/** Checkpoints with the events they belong to, in their order; one whose session cannot be read stays as it is. */
export async function placedIn(
  checkpoints: readonly Checkpoint[],
  context: CommandContext,
): Promise<readonly PlacedCheckpoint[]> {
  const placed = new Map<number, PlacedCheckpoint>();
  for (const session of sessionsOf(checkpoints, context)) {
    for (const one of await placedCheckpoints(session, checkpoints).catch(() => []))
      placed.set(one.checkpoint.number, one);
  }
  return checkpoints.map((checkpoint) => placed.get(checkpoint.number) ?? { checkpoint });
}

function sessionsOf(
  checkpoints: readonly Checkpoint[],
  context: CommandContext,
): readonly FoundSession[] {
  const ids = new Set(checkpoints.flatMap(({ session }) => session ?? []));
  if (ids.size === 0) return [];
  return findSessions(context, { subagents: true }).filter(({ head }) => ids.has(head.session));
}
