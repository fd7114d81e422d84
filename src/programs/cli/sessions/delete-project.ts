import { type FoundSession, findSessions } from "../../../agents/find-sessions.ts";
import { referenceTo } from "../../../agents/reference.ts";
import type { Environment } from "../../../base/env.ts";
import { isRepriseError, RepriseError } from "../../../base/errors.ts";
import {
  type DeletionPlan,
  deleteSession,
  planDeletion,
  refuseWhileWritten,
} from "../../../vault/delete-session.ts";
import { count } from "../render/count.ts";
import { type Deleted, deletedParts, freedText } from "../render/deletion-text.ts";
import { shortTitleOf } from "../render/heading.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { confirmPlan } from "../run/plan.ts";
import { progress } from "../terminal/progress.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { deleteOwn } from "./delete-own.ts";
import { isNative } from "./native.ts";

/** A session that can be deleted; without a plan it is one of our own. */
interface Deletable {
  readonly session: FoundSession;
  readonly plan?: DeletionPlan;
}

/** Sessions that a plan names one by one. */
const namedSessions = 12;

/** Deletes every session of the projects whose name or path has the words; one undo brings all of them back. */
export async function deleteProject(
  words: string,
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  // A script whose variable is empty means no project, and these would be in every path.
  if (!/[\p{L}\p{N}]/u.test(words))
    throw new RepriseError("usage", `--project ${JSON.stringify(words)} names no project.`, {
      hint: "Give a part of its name or path. Nothing was deleted.",
    });
  const found = findSessions(context, { project: words, subagents: false });
  const left: string[] = [];
  const deletable: Deletable[] = [];
  for (const session of found) {
    const planned = await planFor(session, context).catch((error: unknown) => {
      if (!isRepriseError(error)) throw error;
      left.push(`${referenceTo(session)}: ${error.message}`);
      return undefined;
    });
    if (planned !== undefined) deletable.push(planned);
  }
  if (found.length === 0) {
    throw new RepriseError("not_found", `No project has ${JSON.stringify(words)}.`, {
      hint: "`reprise list --all` shows every project.",
    });
  }
  const refs = deletable.map(({ session }) => referenceTo(session));
  const json = { refs, left, sizeBytes: sizeOf(deletable) };
  const text = planText(deletable, { words, left, env: context.env });
  await confirmPlan({ text, json }, invocation, context);
  const entry = await deleteAll(deletable, { words, context });
  if (context.json) return context.out.writeJson({ ...json, done: true, entry });
  const back =
    entry === undefined
      ? ""
      : ` Bring them back with \`reprise undo ${entry}\`: ${entry} is their number in \`reprise undo --list\`.`;
  context.out.note(`Deleted ${count(deletable.length, "session")}.${back}`);
  for (const why of left) context.out.note(safeLine(`Left: ${why}`));
}

async function planFor(session: FoundSession, context: CommandContext): Promise<Deletable> {
  if (isNative(session)) return { session };
  const plan = await planDeletion(session, context.env);
  refuseWhileWritten(plan, { env: context.env, nowMs: context.nowMs });
  return { session, plan };
}

function sizeOf(deletable: readonly Deletable[]): number {
  return deletable.reduce(
    (sum, { session, plan }) => sum + (plan?.sizeBytes ?? session.ref.sizeBytes),
    0,
  );
}

function planText(
  deletable: readonly Deletable[],
  {
    words,
    left,
    env,
  }: { readonly words: string; readonly left: readonly string[]; readonly env: Environment },
): string {
  const more = deletable.length - namedSessions;
  const lines = deletable
    .slice(0, namedSessions)
    .flatMap((one) => [
      `  ${referenceTo(one.session)}  ${shortTitleOf(one.session.head)}`,
      ...deletedParts(partsOf(one), env, 1).map((part) => `    ${part}`),
    ]);
  return [
    `Would delete ${count(deletable.length, "session")} of ${JSON.stringify(words)}:`,
    ...lines,
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...left.map((why) => `Left: ${why}`),
    freedText(sizeOf(deletable)),
  ]
    .map((line) => `${safeLine(line)}\n`)
    .join("");
}

function partsOf({ session, plan }: Deletable): Omit<Deleted, "sizeBytes"> {
  if (plan === undefined) return { files: [session.ref.path], pieces: [], rows: 0 };
  return { files: plan.files, pieces: plan.pieces, rows: plan.rowCount };
}

/** Deletes them in one go: every entry of the journal after the first belongs to it. */
async function deleteAll(
  deletable: readonly Deletable[],
  { words, context }: { readonly words: string; readonly context: CommandContext },
): Promise<number | undefined> {
  const told = progress(context, { verb: "Deleting", toFile: true });
  const about = { project: words, count: deletable.length };
  let first:
    | { readonly entry: number; readonly more: { of: number } | { continues: number } }
    | undefined;
  try {
    // Other agents' sessions come first: theirs is the kind of entry that others can belong to.
    for (const { plan } of deletable) {
      if (plan === undefined) continue;
      const { entry, intention } = await deleteSession(plan, context.env, first?.more ?? about);
      first ??= { entry, more: { of: intention } };
      told.add(1);
    }
    for (const { session, plan } of deletable) {
      if (plan !== undefined) continue;
      const { entry } = deleteOwn(session.ref.path, context, first?.more);
      first ??= { entry, more: { continues: entry } };
      told.add(1);
    }
  } finally {
    told.end();
  }
  return first?.entry;
}
