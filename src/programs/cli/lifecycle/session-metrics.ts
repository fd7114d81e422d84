import { resolve } from "node:path";
import { RepriseError } from "../../../base/errors.ts";
import { dialectsOf } from "../../../catalog/blame/call-acts.ts";
import { pathEvents } from "../../../catalog/compare/path-events.ts";
import { readSide } from "../../../catalog/compare/side.ts";
import { pricesFor } from "../../../catalog/usage/price-file.ts";
import { maskText } from "../../../redact/mask.ts";
import { writePieces } from "../../../store/output-file.ts";
import type { CommandContext } from "../run/command.ts";
import { homeOf } from "../sessions/native.ts";
import type { SessionInHand } from "../sessions/session-in-hand.ts";
import type { Metrics } from "./metrics.ts";

/** What a session took, for a script that gathers such files. */
export interface SessionMetrics {
  readonly ref: string;
  readonly title?: string;
  readonly startedAt?: string;
  readonly updatedAt?: string;
  /** From the first event to the last one. */
  readonly durationMs?: number;
  /** What the user asked, and what came of it. */
  readonly turns: number;
  /** Prompts and answers. */
  readonly messages: number;
  readonly events: number;
  readonly models: readonly string[];
  readonly tokens: object;
  /** Absent where a model has no price and recorded none. */
  readonly costUsd?: number;
  readonly toolCalls: number;
  readonly tools: Readonly<Record<string, number>>;
  /** Calls that failed. */
  readonly errors: number;
  readonly files: readonly {
    readonly path: string;
    readonly action: string;
    readonly added: number;
    readonly removed: number;
  }[];
  /** What the script measured itself. */
  readonly given?: Metrics;
}

/** Counts what a session took; one whose agent has written nothing yet took nothing. */
export async function metricsOf(
  { agent, session, found }: SessionInHand,
  context: CommandContext,
): Promise<SessionMetrics> {
  const ref = `${agent}:${session}`;
  if (found === undefined) return { ...nothing, ref };
  const { head } = found;
  const { event: _event, ...branch } = found;
  const whole = { events: pathEvents(branch), open: new Set<string>() };
  const side = await readSide(whole, {
    dialects: dialectsOf(context.agents),
    prices: pricesFor(homeOf(context)),
    cwd: head.cwd,
    subjectOf: () => "",
  });
  const { durationMs, costUsd } = side;
  return {
    ref,
    ...(head.title !== undefined && { title: maskText(head.title).text }),
    ...(head.createdAt !== undefined && { startedAt: head.createdAt }),
    updatedAt: head.updatedAt,
    ...(durationMs !== undefined && { durationMs }),
    turns: side.prompts,
    messages: side.prompts + side.answers,
    events: side.events,
    models: side.models,
    tokens: side.tokens,
    ...(costUsd !== undefined && { costUsd }),
    toolCalls: side.calls,
    tools: side.tools,
    errors: side.failed,
    files: side.files.map(({ path, action, added, removed }) => ({ path, action, added, removed })),
  };
}

const nothing = {
  turns: 0,
  messages: 0,
  events: 0,
  models: [],
  tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  toolCalls: 0,
  tools: {},
  errors: 0,
  files: [],
} as const;

/** Writes what a session took into a file that the user names; throws `sealed` for a sealed one. */
export async function exportMetrics(
  inHand: SessionInHand,
  file: string,
  given: {
    readonly metrics: Metrics | undefined;
    readonly overwrite: boolean;
    readonly context: CommandContext;
  },
): Promise<string> {
  const { metrics, overwrite, context } = given;
  if (file === "")
    throw new RepriseError("usage", "--export-metrics needs the name of a file.", {
      hint: "Such as --export-metrics run.json. Nothing was written.",
    });
  if (inHand.isSealed)
    throw new RepriseError("sealed", "Metrics would say what a sealed session does.", {
      hint: "Nothing was written. Leave --export-metrics out.",
    });
  const made = await metricsOf(inHand, context);
  const path = resolve(context.folder, file);
  const text = JSON.stringify({ ...made, ...(metrics && { given: metrics }) }, undefined, 2);
  await writePieces(path, [`${text}\n`], { overwrite, home: homeOf(context) });
  return path;
}
