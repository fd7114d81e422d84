import { join, sep } from "node:path";
import type { Environment } from "../../base/env.ts";
import { entriesOf } from "../../base/folders.ts";
import { userHome } from "../../store/home.ts";
import type { AgentUsage, UsagePlace } from "../usage-contract.ts";
import { NativeLines } from "./usage/lines.ts";

/** Counts what sessions of our own store record. */
export const usage: AgentUsage = {
  version: 2,
  places,
  lines: (table, { carry, imported }) => new NativeLines(table, { carry, imported }),
};

/** Every log, also of removed sessions that forks still stand on. Links are not followed, as in the store's own list. */
function* places(env: Environment): Generator<UsagePlace> {
  const { sessions, bases } = userHome(env);
  const folders = entriesOf(sessions).filter((entry) => entry.isDirectory());
  for (const folder of [bases, ...folders.map(({ name }) => join(sessions, name))]) {
    for (const entry of entriesOf(folder)) {
      const { name } = entry;
      if (!entry.isFile() || !name.endsWith(".jsonl") || name.startsWith(".")) continue;
      yield { path: `${folder}${sep}${name}`, session: name.slice(0, -".jsonl".length) };
    }
  }
}
