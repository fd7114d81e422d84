import { join, sep } from "node:path";
import type { Environment } from "../../base/env.ts";
import { entriesOf, fileStat } from "../../base/folders.ts";
import type { SessionRef } from "../contract.ts";
import { planBeside } from "./plan.ts";
import { copilotRoot } from "./roots.ts";

const eventsName = "events.jsonl";

/**
 * Every session of Copilot CLI: a folder of its id with `events.jsonl`, or in early versions a file of its id; and the plan
 * of each that has one.
 */
export function* locate(env: Environment): Generator<SessionRef> {
  const root = copilotRoot(env);
  const folder = join(root, "session-state");
  for (const { name } of entriesOf(folder)) {
    // The program keeps locks of its own in a folder with a dot.
    if (name.startsWith(".")) continue;
    const isFlat = name.endsWith(".jsonl");
    const path = `${folder}${sep}${isFlat ? name : `${name}${sep}${eventsName}`}`;
    const stat = fileStat(path);
    if (stat === undefined) continue;
    const session = isFlat ? name.slice(0, -".jsonl".length) : name;
    const ref = { agent: "copilot-cli", session, path, ...stat, root };
    yield ref;
    const plan = isFlat ? undefined : planBeside(ref);
    if (plan !== undefined) yield plan;
  }
}
