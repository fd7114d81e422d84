import { join, sep } from "node:path";
import { fileStat, namesIn } from "../../../base/folders.ts";
import { sessionIdProblem } from "../../../base/ids.ts";
import type { SessionRef } from "../../contract.ts";
import { agentName } from "../name.ts";

/** The rules of a project and the pages of its Memory Bank. */
export function* pageRefs(project: string): Generator<SessionRef> {
  const pages = [...rulePages(project), ...named(join(project, "memory-bank"), /\.md$/)];
  for (const path of pages) {
    const stat = fileStat(path);
    if (stat === undefined) continue;
    const [folder = "", name = ""] = path.split(sep).slice(-2);
    const kind = folder === "memory-bank" ? "memory-bank" : "rule";
    const session = `${kind}-${name.replace(/^\./, "").replace(/\.mdc?$/, "")}`;
    if (sessionIdProblem(session) !== undefined) continue;
    yield { agent: agentName, session, path, ...stat, root: project };
  }
}

/** The pages with the rules of a project, the one of older versions first. */
export function rulePages(project: string): readonly string[] {
  const own = join(project, ".cursor", "rules");
  return [join(project, ".cursorrules"), ...named(own, /\.mdc?$/)];
}

/** Rules may lie in folders below their folder: a few levels are looked at. */
const levels = 3;

function named(folder: string, shape: RegExp, level = 1): readonly string[] {
  return namesIn(folder).flatMap((name) => {
    const path = join(folder, name);
    if (shape.test(name)) return [path];
    return level < levels && !name.includes(".") ? named(path, shape, level + 1) : [];
  });
}

/** Whether a file has the name and the place of a rule or of a Memory Bank's page. */
export function isPagePath(path: string): boolean {
  return pagePath.test(path.replaceAll(sep, "/"));
}

const pagePath =
  /(?:^|\/)(?:\.cursorrules|\.cursor\/rules\/(?:[^/]+\/){0,2}[^/]+\.mdc?|memory-bank\/(?:[^/]+\/){0,2}[^/]+\.md)$/;
