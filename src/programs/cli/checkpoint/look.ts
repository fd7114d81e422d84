import { RepriseError } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import type { Checkpoint } from "../../../snapshot/checkpoint.ts";
import { changedPaths } from "../../../snapshot/checkpoint-folder.ts";
import { shownName } from "../../../snapshot/file-name.ts";
import { readScope } from "../../../snapshot/scope.ts";
import { isIncomplete } from "../../../snapshot/snapshot.ts";
import { SnapshotStore } from "../../../snapshot/snapshot-store.ts";
import { checkpointJson } from "../render/checkpoint-json.ts";
import { checkpointHeading, checkpointLines } from "../render/checkpoint-text.ts";
import { count } from "../render/count.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { foundNothing, isFiltered } from "../run/nothing-found.ts";
import { homeOf } from "../sessions/native.ts";
import { printPaged } from "../terminal/pager.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { truncated } from "../terminal/width.ts";
import { namedCheckpoint, placedIn, wantedCheckpoints, wantedFolder } from "./wanted.ts";

/** Lists the checkpoints of this project, the newest last. */
export async function listCheckpoints(
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const session = invocation.flags.text("session");
  const wanted = wantedCheckpoints(invocation, context).filter(
    (one) => session === undefined || `${one.agent}:${one.session}`.includes(session),
  );
  const shown = wanted.slice(-(invocation.flags.number("limit") ?? limits.listedCheckpoints));
  if (wanted.length === 0 && isFiltered(invocation)) foundNothing();
  if (context.json) {
    const checkpoints = shown.map(checkpointJson);
    return context.out.writeJson({ checkpoints, total: wanted.length });
  }
  if (wanted.length === 0) {
    return context.out.write(
      "No checkpoints here yet. Take one with `reprise checkpoint`; `reprise hooks install` takes them automatically.\n",
    );
  }
  const more = wanted.length - shown.length;
  const rest = more > 0 ? [`${count(more, "older one")}; see them with --limit.\n`] : [];
  const here = wantedFolder(invocation, context);
  await printPaged([...rest, checkpointLines(shown, { ...context, here })], context);
}

/** Shows one checkpoint: where it belongs, what changed since the one before, and what it does not have. */
export async function showCheckpoint(
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const name = invocation.args.slice(1).join(" ");
  if (name === "") {
    throw new RepriseError("usage", "No checkpoint was named.", {
      hint: "Name its number, its label, or the id of a message.",
    });
  }
  const { checkpoint, prompt } = await namedCheckpoint(name, invocation, context);
  const store = new SnapshotStore(homeOf(context));
  const { facts } = readScope(store, checkpoint.scope);
  const before = wantedBefore(checkpoint, wantedCheckpoints(invocation, context));
  const changed = before === undefined ? [] : changedPaths(store, before, checkpoint);
  const skipped = facts.skipped.map(([path, reason]) => ({ path, reason }));
  if (context.json) {
    return context.out.writeJson({
      ...checkpointJson(checkpoint),
      ...(prompt !== undefined && { prompt }),
      ...(before !== undefined && { before: before.number }),
      changed,
      skippedPaths: skipped,
      missedPaths: facts.missed,
      ...(facts.only !== undefined && { onlyPaths: facts.only }),
    });
  }
  const named = (title: string, paths: readonly string[]): string =>
    paths.length === 0 ? "" : `${title}:\n${pathLines(paths)}`;
  await printPaged(
    [
      checkpointHeading(checkpoint),
      prompt === undefined ? "" : `  prompt  ${safeLine(truncated(prompt, 70))}\n`,
      named("Only these paths were captured", facts.only ?? []),
      before === undefined ? "" : named(`Changed since checkpoint ${before.number}`, changed),
      named(
        "Could not be kept",
        skipped.map(({ path, reason }) => `${path} (${reason})`),
      ),
      named("There was no time to look at", facts.missed),
    ],
    context,
  );
}

/** Finds checkpoints by their label or by what was said. */
export async function findCheckpoints(
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const text = invocation.flags.text("text") ?? invocation.args.slice(1).join(" ");
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) {
    throw new RepriseError("usage", "No words were given.", {
      hint: 'Give words of a label or a prompt: `reprise checkpoint find --text "login form"`.',
    });
  }
  const placed = await placedIn(wantedCheckpoints(invocation, context), context);
  const found = placed.filter(({ checkpoint, prompt = "" }) => {
    const said = `${checkpoint.label ?? ""} ${prompt}`.toLowerCase();
    return words.every((word) => said.includes(word));
  });
  if (found.length === 0) foundNothing();
  if (context.json) {
    return context.out.writeJson({
      checkpoints: found.map(({ checkpoint, prompt }) => {
        return { ...checkpointJson(checkpoint), ...(prompt !== undefined && { prompt }) };
      }),
    });
  }
  if (found.length === 0) {
    context.out.note(`No checkpoint of this project has ${JSON.stringify(text)}.`);
    context.out.note("Give fewer words, or --all for every project.");
    return;
  }
  const here = wantedFolder(invocation, context);
  const lines = found.map(({ checkpoint, prompt }) => {
    const said = prompt === undefined ? "" : `    ${safeLine(truncated(prompt, 90))}\n`;
    return checkpointLines([checkpoint], { ...context, here }) + said;
  });
  await printPaged(lines, context);
}

/** The newest whole checkpoint of the same folder before one. */
function wantedBefore(
  { number, folder, partial }: Checkpoint,
  all: readonly Checkpoint[],
): Checkpoint | undefined {
  if (partial === true) return undefined;
  return all.findLast((one) => one.number < number && one.folder === folder && !isIncomplete(one));
}

/** Some of the paths, a line for each, and how many more there are. */
export function pathLines(paths: readonly string[]): string {
  const shown = paths.slice(0, limits.namedPaths);
  const more = paths.length - shown.length;
  const lines = shown.map((path) => `  ${safeLine(shownName(path))}\n`);
  return lines.join("") + (more > 0 ? `  and ${count(more, "more path")}\n` : "");
}
