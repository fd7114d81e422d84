import type { Environment } from "../../base/env.ts";
import { isRepriseError } from "../../base/errors.ts";
import { scanOpen } from "../../jsonl/take-rows.ts";
import { allCounted, type ScanEnd } from "../../model/usage-scan.ts";
import type { UsageTable } from "../../model/usage-table.ts";
import type { AgentUsage, UsagePlace } from "../usage-contract.ts";
import { rolloutFiles } from "./rollout-files.ts";
import { codexHome } from "./roots.ts";
import { CodexLines } from "./usage/lines.ts";

/** Counts what Codex's rollouts record. */
export const usage: AgentUsage = {
  version: 2,
  places,
  lines: (table, { carry }) => new CodexLines(table, carry),
  whole: decoded,
};

/** Every rollout by itself: one that was rewound has several. Where one is there plain and compressed, the plain one. */
function* places(env: Environment): Generator<UsagePlace> {
  const plain = new Set<string>();
  const packed: (UsagePlace & { readonly rollout: string })[] = [];
  for (const { path, name } of rolloutFiles(codexHome(env))) {
    const { rollout, thread: session } = name;
    if (name.compressed) packed.push({ path, session, rollout });
    else {
      plain.add(rollout);
      yield { path, session };
    }
  }
  for (const { path, session, rollout } of packed) if (!plain.has(rollout)) yield { path, session };
}

async function decoded({ path }: UsagePlace, table: UsageTable): Promise<ScanEnd> {
  const { openRollout } = await import("./read/open-rollout.ts");
  const rollout = await openRollout(path).catch((error: unknown) => {
    if (!isRepriseError(error, "too_large")) throw error;
    return undefined;
  });
  // Counted as damaged, and remembered as that: it stays too large.
  if (rollout === undefined) return tooLarge;
  try {
    return scanOpen(rollout.fd, { table }, new CodexLines(table));
  } finally {
    rollout.close();
  }
}

const tooLarge: ScanEnd = {
  offset: 0,
  tailRows: 0,
  facts: {},
  uncounted: { ...allCounted, damaged: 1 },
};
