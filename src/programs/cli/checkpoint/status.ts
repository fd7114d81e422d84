import { isRepriseError } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import type { Checkpoint } from "../../../snapshot/checkpoint.ts";
import { allCheckpoints } from "../../../snapshot/checkpoint.ts";
import { type Budget, budgetOf } from "../../../snapshot/keeping/budget.ts";
import { bytesAlone } from "../../../snapshot/keeping/budget-full.ts";
import { isLabelled } from "../../../snapshot/keeping/thin.ts";
import { missedCheckpoints } from "../../../snapshot/missed-checkpoint.ts";
import { isIncomplete, type Snapshot } from "../../../snapshot/snapshot.ts";
import { SnapshotStore } from "../../../snapshot/snapshot-store.ts";
import { type UncoveredPath, uncoveredPaths } from "../../../snapshot/uncovered.ts";
import { WorkingTree } from "../../../snapshot/working-tree.ts";
import { checkpointJson } from "../render/checkpoint-json.ts";
import { count } from "../render/count.ts";
import { homely } from "../render/path-text.ts";
import { sizeText } from "../render/size.ts";
import { relativeTime } from "../render/time.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { homeOf } from "../sessions/native.ts";
import { printPaged } from "../terminal/pager.ts";
import { progress } from "../terminal/progress.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { pathLines } from "./look.ts";
import { wantedCheckpoints, wantedFolder } from "./wanted.ts";

/** Says what a checkpoint of this folder would have and what not, which ones are incomplete, and what they all take. */
export async function checkpointStatus(
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const home = homeOf(context);
  const folder = wantedFolder(invocation, context);
  const { snapshot, uncovered, full } = lookedAt(folder, context);
  const all = allCheckpoints(home);
  const here = wantedCheckpoints(invocation, context);
  const store = new SnapshotStore(home);
  const status: Status = {
    folder,
    budget: budgetOf(home),
    ...(snapshot !== undefined && { covered: { files: snapshot.files, bytes: snapshot.bytes } }),
    ...(full !== undefined && { full }),
    uncovered,
    here,
    all,
    labelled: bytesAlone(store, all.filter(isLabelled)),
    missed: missedCheckpoints(home)
      .filter((one) => one.folder === folder)
      .slice(-limits.namedPaths),
  };
  if (context.json) return context.out.writeJson(statusJson(status));
  await printPaged([statusText(status, context)], context);
}

interface Status {
  readonly folder: string;
  readonly budget: Budget;
  readonly covered?: { readonly files: number; readonly bytes: number };
  readonly full?: string;
  readonly uncovered: readonly UncoveredPath[];
  readonly here: readonly Checkpoint[];
  readonly all: readonly Checkpoint[];
  readonly labelled: ReturnType<typeof bytesAlone>;
  readonly missed: ReturnType<typeof missedCheckpoints>;
}

/** The shape of `checkpoint status --json`. */
export const statusShape = `{ folder: string, budgetBytes: number, usedBytes: number, files?: number, bytes?: number, full?: string,
  checkpoints: number, checkpointsOfAll: number, newest?: Checkpoint, incomplete: number[],
  uncovered: { path: string, isFolder: boolean, why: string, isPrecious: boolean }[],
  labelled: { number: number, label?: string, bytes: number }[],
  missed: { at: string, folder: string, why: string, agent?: string, session?: string, call?: string }[] }`;

function statusJson({ budget, covered, full, here, all, ...rest }: Status): object {
  const newest = here.at(-1);
  return {
    ...budget,
    ...covered,
    ...(full !== undefined && { full }),
    checkpoints: here.length,
    checkpointsOfAll: all.length,
    ...(newest !== undefined && { newest: checkpointJson(newest) }),
    incomplete: here.filter((one) => one.missed > 0).map(({ number }) => number),
    ...rest,
  };
}

/** The folder as a checkpoint would have it now; a used up budget is something to tell of. */
function lookedAt(
  folder: string,
  context: CommandContext,
): {
  readonly snapshot?: Snapshot;
  readonly uncovered: readonly UncoveredPath[];
  readonly full?: string;
} {
  const told = progress(context, {
    verb: "Looked at",
    toFile: true,
    amount: (files) => count(files, "file"),
  });
  const tree = WorkingTree.open(folder, { home: homeOf(context), userHome: context.env.home });
  try {
    return tree.hold(() => {
      const snapshot = tree.capture({ onFiles: told.add });
      return { snapshot, uncovered: uncoveredPaths(tree.store, snapshot).paths };
    });
  } catch (error) {
    if (!isRepriseError(error, "budget_full")) throw error;
    return { uncovered: [], full: error.message };
  } finally {
    told.end();
    tree.close();
  }
}

function statusText(status: Status, { nowMs, env }: CommandContext): string {
  const { folder, budget, covered, full, uncovered, here, all, labelled, missed } = status;
  const newest = here.at(-1);
  const incomplete = here.filter((one) => isIncomplete(one) && one.partial !== true);
  const precious = uncovered.filter(({ isPrecious, why }) => isPrecious && why === "ignored");
  const ignored = uncovered.filter(({ why, isPrecious }) => why === "ignored" && !isPrecious);
  const failed = uncovered.filter(({ why }) => why !== "ignored");
  const used = Math.round((budget.usedBytes / Math.max(1, budget.budgetBytes)) * 100);
  const parts = [
    `${safeLine(homely(folder, env))}\n`,
    `  checkpoints  ${here.length === 0 ? "none yet" : `${here.length}, the newest ${newest!.number} ${relativeTime(Date.parse(newest!.at), nowMs)}`}\n`,
    covered === undefined
      ? ""
      : `  one has      ${count(covered.files, "file")}, ${sizeText(covered.bytes)}\n`,
    `  disk         ${sizeText(budget.usedBytes)} of ${sizeText(budget.budgetBytes)} (${used} %), ${count(all.length, "checkpoint")} of all projects\n`,
    ...labelled
      .slice(0, limits.namedPaths)
      .map(
        ({ number, label = "", bytes }) =>
          `               ${sizeText(bytes)} for ${number} ${JSON.stringify(safeLine(label))} alone\n`,
      ),
    full === undefined ? "" : `\n${full}\n`,
    section("Ignored, and perhaps precious (name them in `.repriseinclude`)", precious),
    section("Could not be kept", failed, ({ why }) => ` (${why})`),
    section("Ignored", ignored),
    incomplete.length === 0
      ? ""
      : `\nIncomplete checkpoints: ${incomplete.map(({ number }) => number).join(", ")}\n`,
    missed.length === 0 ? "" : "\nCheckpoints that could not be taken:\n",
    ...missed.map(({ at, why }) => `  ${relativeTime(Date.parse(at), nowMs)}: ${safeLine(why)}\n`),
    uncovered.length === 0 && missed.length === 0 && incomplete.length === 0
      ? "\nEverything here is covered.\n"
      : "",
  ];
  return parts.join("");
}

function section(
  title: string,
  paths: readonly UncoveredPath[],
  more: (path: UncoveredPath) => string = () => "",
): string {
  if (paths.length === 0) return "";
  const shown = paths.map((one) => `${one.path}${one.isFolder ? "/" : ""}${more(one)}`);
  return `\n${title}:\n${pathLines(shown)}`;
}
