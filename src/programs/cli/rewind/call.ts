import { isNamed } from "../../../agents/event-name.ts";
import { type NamedSession, referenceTo } from "../../../agents/reference.ts";
import { timeOf } from "../../../base/clock.ts";
import { RepriseError } from "../../../base/errors.ts";
import { dialectsOf } from "../../../catalog/blame/call-acts.ts";
import { pathEvents } from "../../../catalog/compare/path-events.ts";
import {
  type FileSource,
  type FileState,
  filesBefore,
  stateAt,
} from "../../../catalog/diff/files-at.ts";
import { type PlacedAct, sessionWork } from "../../../catalog/diff/session-work.ts";
import { allCheckpoints, type Checkpoint } from "../../../snapshot/checkpoint.ts";
import { isIncomplete } from "../../../snapshot/snapshot.ts";
import { diffTrees } from "../../../snapshot/tree-paths.ts";
import type { WorkingTree } from "../../../snapshot/working-tree.ts";
import { realPathOf } from "../../../store/project.ts";
import type { CommandContext } from "../run/command.ts";
import { checkpointAt } from "../sessions/checkpoint-at.ts";
import { snapshotPoint } from "../sessions/diff-point.ts";
import { homeOf } from "../sessions/native.ts";

/** What a call made of one file. */
export interface CalledFile {
  readonly path: string;
  readonly before: FileState;
  readonly after: FileState;
}

/** A call of a tool, and what may have changed files. */
interface Call {
  readonly number: string;
  readonly call: string;
  readonly askedMs: number | undefined;
  readonly doneMs: number | undefined;
}

/** The folder a session ran in; throws where it does not say. */
export function folderOf({ head }: NamedSession): string {
  if (head.cwd !== undefined) return realPathOf(head.cwd);
  throw new RepriseError("unsupported", "This session does not say in which folder it ran.");
}

/**
 * The files a call changed, before and after it: an edit's by the edit itself, upon what the checkpoint before it and the
 * edits since tell; a command's by the checkpoints around it.
 */
export async function filesOfCall(
  found: NamedSession,
  name: string,
  { tree, context }: { readonly tree: WorkingTree; readonly context: CommandContext },
): Promise<readonly CalledFile[]> {
  const { folder } = tree;
  const call = await callNamed(found, name);
  const dialects = dialectsOf(context.agents);
  const { acts } = await sessionWork(found, pathEvents(found), { dialects, folder });
  const ref = `${referenceTo(found)}@${call.number}`;
  const own = acts.filter((act) => act.ref === ref && act.act.outcome === "done");
  const checkpoints = allCheckpoints(homeOf(context)).filter((one) => one.folder === folder);
  const base =
    checkpoints.findLast((one) => one.call === call.call && !isIncomplete(one)) ??
    checkpointAt(found, { number: call.number, atMs: call.askedMs }, checkpoints);
  if (own.length > 0) return editedFiles(own, { acts, base, context });
  return commandedFiles(call, { base, checkpoints, tree, context });
}

async function callNamed(found: NamedSession, name: string): Promise<Call> {
  let asked:
    | { readonly number: string; readonly call: string; readonly at?: string | undefined }
    | undefined;
  for await (const { number, uuid, at, body } of pathEvents(found)) {
    if (body.type === "tool_use" && isNamed({ number, ...(uuid !== undefined && { uuid }) }, name))
      asked = { number, call: body.call, at };
    else if (body.type === "tool_result" && asked !== undefined && body.call === asked.call)
      return { ...asked, askedMs: timeOf(asked.at), doneMs: timeOf(at) };
  }
  if (asked !== undefined) return { ...asked, askedMs: timeOf(asked.at), doneMs: undefined };
  throw new RepriseError(
    "not_found",
    `Event ${name} of ${referenceTo(found)} is not a call of a tool.`,
    {
      hint: `See its calls with \`reprise show ${referenceTo(found)}\`.`,
    },
  );
}

function editedFiles(
  own: readonly PlacedAct[],
  given: {
    readonly acts: readonly PlacedAct[];
    readonly base: Checkpoint | undefined;
    readonly context: CommandContext;
  },
): readonly CalledFile[] {
  const { acts, base, context } = given;
  const baseMs = base === undefined ? 0 : (timeOf(base.at) ?? 0);
  const files: FileSource =
    base === undefined ? filesBefore(acts) : snapshotPoint(base, homeOf(context)).files;
  const first = acts.indexOf(own[0]!);
  const earlier = acts.slice(0, first).filter(({ act }) => (act.atMs ?? 0) > baseMs);
  const paths = new Set(
    own.flatMap(({ path, movedTo }) => (movedTo === undefined ? [path] : [path, movedTo])),
  );
  const at = { name: "", folder: "", atMs: 0 };
  return [...paths].map((path) => {
    const before = stateAt({ ...at, files, acts: earlier }, path);
    const after = stateAt({ ...at, files: { read: () => before }, acts: own }, path);
    return { path, before, after };
  });
}

/** Everything that differs between the checkpoint before a command and the next one; or now, where none came since. */
function commandedFiles(
  call: Call,
  given: {
    readonly base: Checkpoint | undefined;
    readonly checkpoints: readonly Checkpoint[];
    readonly tree: WorkingTree;
    readonly context: CommandContext;
  },
): readonly CalledFile[] {
  const { base, checkpoints, tree, context } = given;
  if (base === undefined) {
    throw new RepriseError("not_found", "No checkpoint was taken before this call.", {
      hint: "Hooks take checkpoints automatically: `reprise hooks install`.",
    });
  }
  const doneMs = call.doneMs ?? call.askedMs ?? 0;
  const next = checkpoints.find(
    (one) => !isIncomplete(one) && one.number > base.number && (timeOf(one.at) ?? 0) >= doneMs,
  );
  const after = next ?? tree.capture({ toward: base });
  const home = homeOf(context);
  const [from, to] = [snapshotPoint(base, home), snapshotPoint(after, home)];
  return [...diffTrees(tree.store, base.tree, after.tree)]
    .filter((change) => (change.to ?? change.from)?.kind !== "folder")
    .map(({ path }) => ({ path, before: from.files.read(path), after: to.files.read(path) }));
}
