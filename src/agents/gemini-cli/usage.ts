import { statSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { Environment } from "../../base/env.ts";
import { parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { readRegular } from "../../base/open-file.ts";
import type { ScanEnd } from "../../model/usage-scan.ts";
import type { UsageTable } from "../../model/usage-table.ts";
import type { LocateOptions } from "../contract.ts";
import type { AgentUsage, UsagePlace } from "../usage-contract.ts";
import { isSavedChat } from "./json-forms.ts";
import { locate } from "./locate.ts";
import { projectFolder, projectOf, registeredProjects } from "./projects.ts";
import { geminiRoot } from "./roots.ts";
import { GeminiCliLines } from "./usage/lines.ts";

/** Counts what Gemini CLI's sessions record. */
export const usage: AgentUsage = {
  version: 2,
  places,
  lines: (table) => new GeminiCliLines(table),
  whole: oneText,
};

/**
 * Saved chats repeat what sessions recorded, without tokens. A subagent's lie in a folder of its parent's name. No record
 * names the project: the folder below `tmp` does.
 */
function* places(env: Environment, options: LocateOptions): Generator<UsagePlace> {
  const registered = registeredProjects(geminiRoot(env));
  const owners = new Map<string, string | undefined>();
  for (const ref of locate(env, options)) {
    if (isSavedChat(ref.path)) continue;
    const folder = projectFolder(ref.path);
    if (!owners.has(folder)) owners.set(folder, projectOf(folder, registered));
    const cwd = owners.get(folder);
    const parent = ref.part === "subagent" ? basename(dirname(ref.path)) : undefined;
    yield {
      ...ref,
      ...(cwd !== undefined && { cwd }),
      ...(parent !== undefined && { parent }),
    };
  }
}

async function oneText({ path }: UsagePlace, table: UsageTable): Promise<ScanEnd> {
  const lines = new GeminiCliLines(table);
  const isShort = statSync(path).size <= limits.foreignLineBytes;
  const whole = isShort ? parseObject(readRegular(path).toString("utf8")) : undefined;
  if (whole === undefined) lines.damaged += 1;
  else lines.record(whole);
  const uncounted = { damaged: lines.damaged, absurd: lines.absurd, sealed: 0, unreadable: 0 };
  return { offset: 0, tailRows: 0, facts: lines.facts, uncounted };
}
