import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { loadAgents } from "../../../src/agents/registry.ts";
import type { Environment } from "../../../src/base/env.ts";
import { calendarOf } from "../../../src/catalog/usage/calendar.ts";
import { gatherUsage } from "../../../src/catalog/usage/gather.ts";
import { bundledPrices } from "../../../src/catalog/usage/prices.ts";
import {
  type ReportOptions,
  reportOf,
  type UsageReport,
} from "../../../src/catalog/usage/report.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";

const fixtures = join(import.meta.dirname, "..", "..", "fixtures");

/** A home folder of its own. */
export function emptyHome(): Environment {
  const home = temporaryFolder();
  return { variables: {}, platform: process.platform, home, cwd: home };
}

/** Puts what a real agent wrote into the home. */
export function put(env: Environment, fixture: string, into = ""): void {
  cpSync(join(fixtures, fixture), join(env.home, into), { recursive: true });
}

/** Writes a file of lines below the home; tells its path. */
export function putLines(
  env: Environment,
  path: string,
  lines: readonly (object | string)[],
): string {
  const file = join(env.home, path);
  mkdirSync(dirname(file), { recursive: true });
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  writeFileSync(file, text.map((line) => `${line}\n`).join(""));
  return file;
}

/** The report of a home, days in UTC. */
export async function reportFor(
  env: Environment,
  options: Partial<ReportOptions> = {},
): Promise<UsageReport> {
  const usage = await gatherUsage({ env, agents: loadAgents });
  const how = { by: "day", dayOf: calendarOf("UTC"), prices: bundledPrices } as const;
  return reportOf(usage, { ...how, ...options });
}

/** A record as Claude Code writes it. */
export function claudeRecord(fields: {
  readonly id?: string;
  readonly request?: string;
  readonly usage?: object;
  readonly model?: string;
  readonly at?: string;
  readonly more?: object;
}): object {
  const { id = "m1", request = "r1", model = "claude-sonnet-4-5-20250929" } = fields;
  return {
    parentUuid: null,
    isSidechain: false,
    message: {
      id,
      type: "message",
      role: "assistant",
      model,
      content: [],
      usage: fields.usage ?? { input_tokens: 100, output_tokens: 10 },
    },
    requestId: request,
    type: "assistant",
    timestamp: fields.at ?? "2026-01-02T03:04:05.000Z",
    cwd: "/home/dev/acme",
    sessionId: "s1",
    ...fields.more,
  };
}
