import { referenceTo } from "../../../agents/reference.ts";
import { RepriseError } from "../../../base/errors.ts";
import { deleteSession } from "../../../vault/delete-session.ts";
import { count } from "../render/count.ts";
import {
  type DeletionFacts,
  deletionFacts,
  deletionPlanText,
  leftLines,
  pinnedText,
} from "../render/deletion-plan.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { confirmPlan } from "../run/plan.ts";
import { progress } from "../terminal/progress.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import {
  chooseDeletable,
  type Deletable,
  leftText,
  reasonToLeave,
  refuseChanged,
  type Wanted,
} from "./deletable.ts";
import { deleteOwn } from "./delete-own.ts";

/** Deletes every session that was asked for, told in words; one undo brings all of them back. */
export async function deleteChosen(
  wanted: Wanted,
  { words, invocation }: { readonly words: string; readonly invocation: Invocation },
  context: CommandContext,
): Promise<void> {
  const chosen = await chooseDeletable(wanted, context);
  const facts = deletionFacts(chosen);
  if (facts.refs.length === 0) refuseNothing(facts, words);
  const text = deletionPlanText(chosen, facts, { words, context });
  await confirmPlan({ text, json: facts }, invocation, context);
  const { gone, left, entry } = await deleteAll(chosen.deletable, { words, context });
  const stay = [...facts.left, ...left];
  if (gone.length === 0) refuseNothing({ ...facts, left: stay }, words);
  if (context.json) {
    const refs = gone.map(({ session }) => referenceTo(session));
    return context.out.writeJson({ ...facts, refs, left: stay, done: true, entry });
  }
  const back =
    entry === undefined
      ? ""
      : ` Bring them back with \`reprise undo ${entry}\`: ${entry} is their number in \`reprise undo --list\`.`;
  context.out.note(`Deleted ${count(gone.length, "session")}.${back}`);
  for (const line of stayLines(stay, facts.pinned)) context.out.note(safeLine(line));
}

function refuseNothing({ pinned, left }: DeletionFacts, words: string): never {
  if (pinned.length + left.length === 0) {
    throw new RepriseError("not_found", `There are no sessions ${words}.`, {
      hint: "`reprise list --all` shows every session.",
    });
  }
  throw new RepriseError("conflict", `No session ${words} can be deleted now.`, {
    hint: stayLines(left, pinned).join("\n"),
  });
}

function stayLines(left: readonly string[], pinned: readonly string[]): readonly string[] {
  return [...leftLines(left), ...(pinned.length > 0 ? [`${pinnedText(pinned.length)}.`] : [])];
}

interface Done {
  readonly gone: readonly Deletable[];
  readonly left: readonly string[];
  readonly entry: number | undefined;
}

/** Deletes them in one go: every entry of the journal after the first belongs to it. What cannot go by now is left. */
async function deleteAll(
  deletable: readonly Deletable[],
  { words, context }: { readonly words: string; readonly context: CommandContext },
): Promise<Done> {
  const amount = (done: number): string => `${done} of ${count(deletable.length, "session")}`;
  const told = progress(context, { verb: "Deleting", toFile: true, amount });
  const gone: Deletable[] = [];
  const left: string[] = [];
  let first:
    | { readonly entry: number; readonly more: { of: number } | { continues: number } }
    | undefined;
  const remove = async ({ session, plan }: Deletable): Promise<void> => {
    if (plan === undefined) {
      const { entry } = deleteOwn(session.ref.path, context, first?.more);
      first ??= { entry, more: { continues: entry } };
      return;
    }
    const more = first?.more ?? { chosen: words };
    const { entry, intention } = await deleteSession(plan, context.env, more);
    first ??= { entry, more: { of: intention } };
  };
  // Other agents' sessions come first: theirs is the kind of entry that others can belong to.
  const others = deletable.filter(({ plan }) => plan !== undefined);
  const own = deletable.filter(({ plan }) => plan === undefined);
  try {
    for (const one of [...others, ...own]) {
      const why = await reasonToLeave(async () => {
        refuseChanged(one);
        await remove(one);
      });
      if (why === undefined) gone.push(one);
      else left.push(leftText(one.session, why));
      told.add(1);
    }
  } finally {
    told.end();
  }
  return { gone, left, entry: first?.entry };
}
