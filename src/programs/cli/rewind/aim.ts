import { relative, resolve, sep } from "node:path";
import { resolveReference } from "../../../agents/reference.ts";
import { RepriseError } from "../../../base/errors.ts";
import type { Checkpoint } from "../../../snapshot/checkpoint.ts";
import { withRoom } from "../../../snapshot/keeping/budget-full.ts";
import type { LeftPath } from "../../../snapshot/plan.ts";
import { previewRestore, type RestoreRequest } from "../../../snapshot/restore/restore.ts";
import { WorkingTree } from "../../../snapshot/working-tree.ts";
import { realPathOf } from "../../../store/project.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { nowAt, snapshotPoint } from "../sessions/diff-point.ts";
import { homeOf } from "../sessions/native.ts";
import { isTerminal } from "../terminal/output.ts";
import { openQuestions } from "./ask.ts";
import { filesOfCall, folderOf } from "./call.ts";
import { chosenHunks } from "./hunks.ts";
import { checkpointText } from "./plan-text.ts";
import { withoutCall } from "./without-call.ts";

/** What files shall become, as a command named it. */
export interface Aim {
  readonly request: RestoreRequest;
  /** What they become, for people. */
  readonly name: string;
  readonly checkpoint?: Checkpoint;
  /** Files in which two changes stand between marks. */
  readonly conflicts: readonly string[];
  /** What is left besides what the plan says. */
  readonly left: readonly LeftPath[];
}

/** The checkpoint that files come from, and the event that was asked for instead, if one was. */
interface Wanted {
  readonly checkpoint: Checkpoint;
  readonly event?: string | undefined;
}

/** Opens the folder that files go back in. */
export function openTree(folder: string, context: CommandContext): WorkingTree {
  return WorkingTree.open(folder, { home: homeOf(context), userHome: context.env.home });
}

/** The files of a checkpoint: all, some paths, or the hunks that are chosen on the terminal. */
async function aimAtCheckpoint(
  { checkpoint, event }: Wanted,
  tree: WorkingTree,
  { invocation, context }: { readonly invocation: Invocation; readonly context: CommandContext },
): Promise<Aim> {
  const paths = invocation.paths && pathsIn(checkpoint, invocation.paths, context);
  const request = { target: checkpoint, ...(paths !== undefined && { paths }) };
  const aim = { checkpoint, conflicts: [], left: [] };
  const isOlder = event !== undefined && event !== checkpoint.event;
  const said = `${checkpointText(checkpoint, context)}${isOlder ? `, the newest up to event ${event}` : ""}`;
  if (!invocation.flags.isSet("hunks")) return { ...aim, request, name: said };
  if (context.json || !isTerminal(0)) {
    throw new RepriseError("usage", "--hunks asks for each change, on a terminal.", {
      hint: "Name paths instead: `reprise rewind <to> -- path`.",
    });
  }
  const home = homeOf(context);
  const keep = [checkpoint.number];
  const { plan } = withRoom(home, () => previewRestore(tree, request), { keep });
  const present = nowAt(tree.folder, context).files;
  const target = snapshotPoint(checkpoint, home).files;
  const questions = openQuestions();
  const files = await chosenHunks(plan, { present, target }, questions).finally(questions.close);
  const name = `chosen from ${said}`;
  return { ...aim, request: { target: tree.adopt(files) }, name };
}

/** The same with the folder they go back in, which is open then. */
export async function aimInTree(
  wanted: Wanted,
  on: { readonly invocation: Invocation; readonly context: CommandContext },
): Promise<{ readonly aim: Aim; readonly tree: WorkingTree }> {
  const tree = openTree(wanted.checkpoint.folder, on.context);
  try {
    return { aim: await aimAtCheckpoint(wanted, tree, on), tree };
  } catch (error) {
    tree.close();
    throw error;
  }
}

/** The files without what one call did to them. */
export async function aimWithoutCall(
  ref: string,
  call: string,
  context: CommandContext,
): Promise<{ readonly aim: Aim; readonly tree: WorkingTree }> {
  const found = resolveReference(ref, context);
  const tree = openTree(folderOf(found), context);
  try {
    const { event: _event, ...session } = found;
    const called = await filesOfCall(session, call, { tree, context });
    const { files: present } = nowAt(tree.folder, context);
    const { files, conflicts, left } = withoutCall(called, (path) => present.read(path));
    const name = `without call ${call}`;
    return { tree, aim: { request: { target: tree.adopt(files) }, name, conflicts, left } };
  } catch (error) {
    tree.close();
    throw error;
  }
}

/** The paths behind `--`, from the checkpoint's folder. */
function pathsIn(
  { folder }: Checkpoint,
  paths: readonly string[],
  context: CommandContext,
): readonly string[] {
  return paths.map((path) => {
    const from = realPathOf(context.folder);
    const within = relative(folder, resolve(from, path)).split(sep).join("/");
    if (within !== ".." && !within.startsWith("../")) return within;
    throw new RepriseError("usage", `${path} is not in ${folder}.`);
  });
}
