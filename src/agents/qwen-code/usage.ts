import { basename, dirname } from "node:path";
import type { Environment } from "../../base/env.ts";
import type { AgentUsage, UsagePlace } from "../usage-contract.ts";
import { locate } from "./locate.ts";
import { QwenCodeLines } from "./usage/lines.ts";

/** Counts what Qwen Code's sessions record. */
export const usage: AgentUsage = {
  version: 1,
  places,
  lines: (table) => new QwenCodeLines(table),
};

/** A subagent's file lies in a folder of the name of the session it works for. */
function* places(env: Environment): Generator<UsagePlace> {
  for (const ref of locate(env)) {
    const isSubagent = basename(ref.path).startsWith("agent-");
    yield { ...ref, ...(isSubagent && { parent: basename(dirname(ref.path)) }) };
  }
}
