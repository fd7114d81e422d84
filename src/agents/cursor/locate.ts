import { basename } from "node:path";
import type { Environment } from "../../base/env.ts";
import type { LocateOptions, SessionRef } from "../contract.ts";
import { projectFolders } from "../project-folders.ts";
import { storeAt, storeRefs, transcriptRefs } from "./locate/command-line.ts";
import { composerRefs, globalDatabase } from "./locate/composers.ts";
import { pageRefs } from "./locate/pages.ts";
import { savedRefs } from "./locate/saved.ts";
import { workspaceAt, workspacesIn } from "./locate/workspaces.ts";
import { isStore } from "./read/blob-tree.ts";
import { userFolder } from "./roots.ts";

/**
 * The conversations of the desktop program and of the command line, what both keep about users and projects, and the
 * rules and memory pages of known projects. A conversation that is in several stores is named once, where it is whole.
 */
export function* locate(env: Environment, options: LocateOptions = {}): Generator<SessionRef> {
  const listed = new Set<string>();
  const isListed = (id: string): boolean => listed.has(id);
  function* noted(refs: Iterable<SessionRef>): Generator<SessionRef> {
    for (const ref of refs) {
      if (listed.has(ref.session)) continue;
      listed.add(ref.session);
      yield ref;
    }
  }
  const user = userFolder(env);
  const workspaces = workspacesIn(user);
  yield* noted(composerRefs(globalDatabase(user), workspaces));
  for (const workspace of workspaces) yield* noted(savedRefs(workspace, isListed));
  yield* noted(storeRefs(env));
  const folders = projectFolders(env, options);
  const projects = [...folders, ...workspaces.flatMap(({ cwd }) => cwd ?? [])];
  yield* noted(transcriptRefs(env, { projects, isListed }));
  for (const project of folders) yield* pageRefs(project);
}

/** The sessions in a database that the user named: of the desktop program, of a workspace, or of the command line. */
export function* refsAt(path: string): Generator<SessionRef> {
  if (basename(path) === "store.db" && isStore(path)) yield* storeAt(path);
  if (!path.endsWith(".vscdb")) return;
  const found = [...composerRefs(path, [])];
  const listed = new Set(found.map(({ session }) => session));
  // A database that names nothing is none of this program's, or one of a workspace.
  yield* found.filter(({ part }) => part !== undefined);
  const workspace = workspaceAt(path);
  if (workspace !== undefined) yield* savedRefs(workspace, (id) => listed.has(id));
}
