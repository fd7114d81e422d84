import { basename, join } from "node:path";
import { namesIn } from "../../base/folders.ts";

/** The folder with the sessions of a project. */
export function sessionsIn(project: string): string {
  return join(project, ".synapse", "sessions");
}

const sessionName = /^(?!_)[\w-]{1,128}\.json$/;

/** The sessions of a project; what else lies there begins with an underscore. */
export function filesOf(project: string): readonly string[] {
  const folder = sessionsIn(project);
  const names = namesIn(folder).filter((name) => sessionName.test(name));
  return names.map((name) => join(folder, name));
}

/** Whether a path is where the program keeps a session, whatever project it is of. */
export function isItsPath(path: string): boolean {
  return /[/\\]\.synapse[/\\]sessions[/\\][^/\\]+$/.test(path) && sessionName.test(basename(path));
}
