import { join } from "node:path";

/** What the program called its folder since 5.0, and before. */
export const folderNames = [".aiox", ".aios"] as const;

/** The folders of the program in a project. */
export function foldersIn(project: string): readonly string[] {
  return folderNames.map((name) => join(project, name));
}

/** The one state of a project in one of these folders. */
export function statePath(project: string, folder: (typeof folderNames)[number]): string {
  return join(project, folder, "session-state.json");
}

/** Digests that the newer versions leave before a compaction. */
export function digestsIn(project: string): string {
  return join(project, ".aiox", "session-digests");
}

/** Whether a path is where the program keeps a state or a digest, whatever project it is of. */
export function isItsPath(path: string): boolean {
  return /[/\\]\.aio[sx][/\\](?:session-state\.json|session-digests[/\\][^/\\]+\.ya?ml)$/.test(
    path,
  );
}

/** Whether a file is a digest, not a state. */
export function isDigest(path: string): boolean {
  return /\.ya?ml$/.test(path);
}
