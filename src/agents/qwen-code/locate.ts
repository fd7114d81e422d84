import { join, sep } from "node:path";
import type { Environment } from "../../base/env.ts";
import { entriesOf, fileStat, namesIn } from "../../base/folders.ts";
import { sessionIdProblem } from "../../base/ids.ts";
import type { SessionRef } from "../contract.ts";
import { qwenRoot } from "./roots.ts";

/** The agent's name in references. */
export const agentName = "qwen-code";

/** What the program itself takes for a session; other files beside them have more dots. */
const sessionFile = /^[0-9a-fA-F-]{32,36}\.jsonl$/;
const subagentFile = /^agent-.+\.jsonl$/;

/** Every session below `projects`, archived ones and subagents' too. */
export function* locate(env: Environment): Generator<SessionRef> {
  const root = qwenRoot(env);
  const projects = join(root, "projects");
  for (const { name } of entriesOf(projects)) {
    const chats = join(projects, name, "chats");
    yield* refsIn(chats, { root, shape: sessionFile });
    yield* refsIn(join(chats, "archive"), { root, shape: sessionFile });
    const subagents = join(projects, name, "subagents");
    for (const parent of namesIn(subagents)) {
      yield* refsIn(join(subagents, parent), { root, shape: subagentFile });
    }
  }
}

function* refsIn(
  folder: string,
  options: { readonly root: string; readonly shape: RegExp },
): Generator<SessionRef> {
  for (const name of namesIn(folder)) {
    if (!options.shape.test(name)) continue;
    const session = name.slice(0, -".jsonl".length);
    const path = `${folder}${sep}${name}`;
    const stat = fileStat(path);
    if (stat === undefined || sessionIdProblem(session) !== undefined) continue;
    yield { agent: agentName, session, path, ...stat, root: options.root };
  }
}
