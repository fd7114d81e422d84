import { limits } from "../../../base/limits.ts";
import type { Checkpoint } from "../../../snapshot/checkpoint.ts";
import { shownName } from "../../../snapshot/file-name.ts";
import type { LeftPath, RestorePlan, RestoreStep } from "../../../snapshot/plan.ts";
import { isIncomplete } from "../../../snapshot/snapshot.ts";
import { relativeTime } from "../render/time.ts";
import type { CommandContext } from "../run/command.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** What happens to one path. */
export type StepAction = "create" | "change" | "delete";

/** A step as `--json` has it. */
export interface StepJson {
  readonly path: string;
  readonly action: StepAction;
  /** It was changed outside of any session since. */
  readonly outside?: true;
}

/** So many paths are listed for people; `--json` has all. */
const listed = 40;

/** What happens to the path of a step. */
export function actionOf({ from, to }: RestoreStep): StepAction {
  if (from === undefined) return "create";
  return to === undefined ? "delete" : "change";
}

/** The steps of a plan for `--json`. */
export function stepsJson(
  { steps }: RestorePlan,
  outside: ReadonlySet<string>,
): readonly StepJson[] {
  return steps.map((step) => ({
    path: shownName(step.path),
    action: actionOf(step),
    ...(outside.has(step.path) && { outside: true }),
  }));
}

/** A checkpoint as people name it. */
export function checkpointText(
  { number, label, at }: Checkpoint,
  { nowMs }: Pick<CommandContext, "nowMs">,
): string {
  const name = label === undefined ? `checkpoint ${number}` : `checkpoint ${number} “${label}”`;
  return `${name} (${relativeTime(Date.parse(at), nowMs)})`;
}

/** A plan for people: what will be created, changed, deleted, what others changed since, what is left. */
export function planText(
  plan: RestorePlan,
  options: { readonly outside: ReadonlySet<string>; readonly target?: Checkpoint | undefined },
): string {
  const { steps, left, folder } = plan;
  const { outside, target } = options;
  const shown = steps.filter((step, at) => at < listed || isOverwritten(step, outside));
  const lines = shown.map((step) => {
    const said = outside.has(step.path) ? "  (changed outside of any session since)" : "";
    return `  ${actionOf(step)}  ${pathText(step)}${said}`;
  });
  const named = steps.filter(({ path }) => outside.has(path)).length;
  return [
    steps.length === 0
      ? `Nothing in ${safeLine(folder)} has to change.`
      : `Would change in ${safeLine(folder)}:`,
    ...lines,
    ...(steps.length > shown.length ? [`  … and ${steps.length - shown.length} more`] : []),
    ...(named > 0
      ? [`${count(named, "path was", "paths were")} changed outside of any session.`]
      : []),
    ...(target === undefined ? [] : unjudgedText(plan)),
    ...leftText(left),
    ...(target !== undefined && isIncomplete(target)
      ? ["This checkpoint is incomplete: what it did not look at stays as it is."]
      : []),
  ].join("\n");
}

/** What was done to paths that somebody had changed outside of any session, and where their content is now. */
export function outsideText(
  { steps }: RestorePlan,
  {
    outside,
    safety,
  }: { readonly outside: ReadonlySet<string>; readonly safety: Checkpoint | undefined },
): readonly string[] {
  const named = steps.filter(({ path }) => outside.has(path));
  if (named.length === 0) return unjudgedText({ steps });
  const shown = named.filter((step, at) => at < listed || isOverwritten(step, outside));
  const more = named.length - shown.length;
  const kept = safety === undefined ? "" : `; checkpoint ${safety.number} has what was there`;
  return [
    `${count(named.length, "path", "paths")} had been changed outside of any session${kept}:`,
    ...shown.map((step) => `  ${actionOf(step)}  ${pathText(step)}`),
    ...(more > 0 ? [`  … and ${more} more`] : []),
    ...unjudgedText({ steps }),
  ];
}

/** Somebody's own content goes: that is named however long the plan is. What comes back loses nobody anything. */
function isOverwritten(step: RestoreStep, outside: ReadonlySet<string>): boolean {
  return outside.has(step.path) && step.from !== undefined;
}

/** Who changed a path is looked for in the first ones of a long plan; the others are counted. */
function unjudgedText({ steps }: Pick<RestorePlan, "steps">): readonly string[] {
  const more = leavesOf(steps).length - limits.judgedPaths;
  return more > 0 ? [`Who changed ${count(more, "more path", "more paths")} was not checked.`] : [];
}

/** The steps that are about files and links, not folders. */
export function leavesOf(steps: readonly RestoreStep[]): readonly RestoreStep[] {
  return steps.filter(({ from, to }) => (to ?? from)?.kind !== "folder");
}

/** What is left alone, and why. */
export function leftText(left: readonly LeftPath[]): readonly string[] {
  if (left.length === 0) return [];
  const more = left.length - listed;
  return [
    `Left alone (${left.length}):`,
    ...left.slice(0, listed).map(({ path, why }) => `  ${safeLine(shownName(path))}: ${why}`),
    ...(more > 0 ? [`  … and ${more} more`] : []),
  ];
}

/** Files that a person must look at. */
export function conflictText(conflicts: readonly string[]): readonly string[] {
  if (conflicts.length === 0) return [];
  return [
    "Changed since in the same lines; both stand in the file between <<<<<<< and >>>>>>>:",
    ...conflicts.map((path) => `  ${safeLine(shownName(path))}`),
  ];
}

function pathText({ path, from, to }: RestoreStep): string {
  const isFolder = (to ?? from)?.kind === "folder";
  return `${safeLine(shownName(path))}${isFolder ? "/" : ""}`;
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
