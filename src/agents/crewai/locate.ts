import { basename, dirname, join } from "node:path";
import { timeOf } from "../../base/clock.ts";
import type { Environment } from "../../base/env.ts";
import { fileStat, folderExists } from "../../base/folders.ts";
import { hasRows, type TableShape } from "../../sqlite/table-rows.ts";
import type { LocateOptions, SessionRef } from "../contract.ts";
import { projectFolders } from "../project-folders.ts";
import {
  checkpointFiles,
  checkpointRows,
  lineagesOf,
  newestOf,
  statOfFiles,
} from "./checkpoint-list.ts";
import { flowsIn } from "./flows.ts";
import { storagesOf } from "./roots.ts";
import { checkpoints, databases, flowStates, longTermMemories, taskOutputs } from "./stores.ts";
import { momentOfId } from "./times.ts";
import { vectorStoreIn } from "./vectors.ts";

/** The agent's name in references. */
export const agentName = "crewai";

/** The storages of the current project and the known ones, and the checkpoints in the projects themselves. */
export function* locate(env: Environment, options: LocateOptions = {}): Generator<SessionRef> {
  for (const project of projectFolders(env, options)) {
    for (const folder of [...storagesOf(project, env), project]) yield* refsIn(folder, project);
  }
}

/** What a file or folder that the user named holds of it; nothing if it is none of its stores. */
export function* refsAt(path: string): Generator<SessionRef> {
  if (folderExists(path)) {
    const isFolder = basename(path) === ".checkpoints";
    yield* isFolder ? fileRefs(path) : refsIn(path);
    return;
  }
  for (const { shape } of databases) {
    const refs = [...databaseRefs(path, shape)];
    if (refs.length > 0) return yield* refs;
  }
}

/** What lies in a folder under the names the program gives. */
function* refsIn(folder: string, project?: string): Generator<SessionRef> {
  for (const { name, shape } of databases) {
    const path = join(folder, name);
    if (fileStat(path) !== undefined) yield* databaseRefs(path, shape, project);
  }
  yield* fileRefs(join(folder, ".checkpoints"), project);
  const vectors = vectorStoreIn(folder);
  const stat = vectors && fileStat(vectors.path);
  if (stat !== undefined) {
    const session = `vectors-${basename(folder)}`;
    yield { ...placed(project), session, path: vectors!.path, part: "vectors", ...stat };
  }
}

function placed(project: string | undefined): Pick<SessionRef, "agent" | "root"> {
  return { agent: agentName, ...(project !== undefined && { root: project }) };
}

/** A flow and a line of checkpoints are rows, so rows are listed; where that fails, the file itself is named. */
function* databaseRefs(path: string, shape: TableShape, project?: string): Generator<SessionRef> {
  const stat = fileStat(path);
  if (stat === undefined) return;
  const at = { ...placed(project), path };
  try {
    yield* rowsAsRefs(at, shape, stat);
  } catch {
    if (project !== undefined) yield { ...at, session: basename(path), ...stat };
  }
}

function* rowsAsRefs(
  at: Pick<SessionRef, "agent" | "root" | "path">,
  shape: TableShape,
  stat: { readonly sizeBytes: number; readonly modifiedMs: number },
): Generator<SessionRef> {
  const { path } = at;
  const { modifiedMs } = stat;
  if (shape === flowStates) {
    for (const { flow, at: when } of flowsIn(path)?.flows.values() ?? [])
      yield {
        ...at,
        session: flow,
        part: `flow ${flow}`,
        sizeBytes: 0,
        modifiedMs: timeOf(when) ?? modifiedMs,
      };
  } else if (shape === checkpoints) {
    for (const lineage of lineagesOf(checkpointRows(path)?.places ?? [])) {
      const newestMs = timeOf(momentOfId(newestOf(lineage.places)!.id));
      const part = `checkpoints ${lineage.root}`;
      yield {
        ...at,
        session: lineage.root,
        part,
        sizeBytes: 0,
        modifiedMs: newestMs ?? modifiedMs,
      };
    }
  } else if (isStoreOf(path, shape)) {
    const name = basename(dirname(path));
    if (shape === taskOutputs)
      yield { ...at, session: `kickoff-${name}`, part: "kickoff", ...stat };
    if (shape === longTermMemories)
      yield { ...at, session: `memory-${name}`, part: "memory", ...stat };
  }
}

/** By its name, or by its table if it was given another one. */
function isStoreOf(path: string, shape: TableShape): boolean {
  return (
    databases.some((one) => one.shape === shape && one.name === basename(path)) ||
    hasRows(path, shape)
  );
}

function* fileRefs(folder: string, project?: string): Generator<SessionRef> {
  for (const lineage of lineagesOf(checkpointFiles(folder))) {
    const first = lineage.places[0]!;
    const part = `files ${lineage.root}`;
    const stat = statOfFiles(lineage);
    yield { ...placed(project), session: lineage.root, path: first.path!, part, ...stat };
  }
}
