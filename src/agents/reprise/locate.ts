import { basename } from "node:path";
import type { Environment } from "../../base/env.ts";
import { userHome } from "../../store/home.ts";
import { sessionFacts } from "../../store/list.ts";
import { ownAgent } from "../../store/own-agent.ts";
import type { SessionRef } from "../contract.ts";

/** The native sessions of this user. */
export function* locate(env: Environment): Generator<SessionRef> {
  const home = userHome(env);
  for (const { path, sizeBytes, modifiedMs } of sessionFacts(home)) {
    const session = basename(path, ".jsonl");
    yield { agent: ownAgent, session, path, sizeBytes, modifiedMs, root: home.root };
  }
}
