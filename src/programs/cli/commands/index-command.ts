import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { RepriseError } from "../../../base/errors.ts";
import { holderName } from "../../../base/holder.ts";
import { storeHolder } from "../../../base/store-leases.ts";
import { freshen } from "../../../catalog/index/freshen.ts";
import { type Catalog, openCatalog, removeDatabase } from "../../../catalog/index/open.ts";
import { includeSealed } from "../../../catalog/index/sealed.ts";
import { sweep } from "../../../catalog/index/sweep.ts";
import { indexTotals, type Totals } from "../../../catalog/index/totals.ts";
import type { Updated } from "../../../catalog/index/update.ts";
import { sizeText } from "../render/size.ts";
import { finderOptions } from "../reports/search-run.ts";
import type { Command, CommandContext } from "../run/command.ts";
import { homeOf } from "../sessions/native.ts";
import { indexProgress } from "../terminal/index-progress.ts";

const watchMs = 1_000;

/** `reprise index`: brings the search index up to date, or tells how it stands. */
export const indexCommand: Command = {
  name: "index",
  summary: "bring the search index up to date, or see how it stands",
  details: `Every search does this by itself, for a moment; this command takes the time it needs. The index is
derived: it can be deleted at any time and comes back. The text of sealed sessions is left out unless
--sealed is given once; --rebuild leaves it out again.`,
  args: [],
  flags: [
    { flags: "--status", says: "only tell how it stands", kind: "switch" },
    { flags: "--rebuild", says: "throw it away and make it anew", kind: "switch" },
    { flags: "--watch", says: "keep it up to date until interrupted", kind: "switch" },
    {
      flags: "--sealed",
      says: "also the text of sealed sessions; needs REPRISE_KEY",
      kind: "switch",
    },
  ],
  examples: [
    { line: "reprise index", says: "read everything that is new" },
    { line: "reprise index --status", says: "its size, and what it does not have yet" },
    { line: "reprise index --watch", says: "keep it warm while you work" },
  ],
  json: `{ path: string, sizeBytes: number, sessions: number, subagents: number, events: number, gone: number,
  sealed: number,
  pending: number, indexed: number, busy?: string, notes: string[] }`,
  changes: ({ flags }) => !flags.isSet("status"),
  run: async ({ flags }, context) => {
    if (flags.isSet("rebuild")) rebuild(context);
    const opened = openCatalog(homeOf(context).derived);
    if ("why" in opened) throw new RepriseError("failed", `${opened.why}.`, { hint: noIndexHint });
    try {
      if (flags.isSet("sealed")) includeSealed(opened.connection);
      if (flags.isSet("status")) return await tellStatus(opened, context);
      await tell(opened, await bringUp(opened, context), context);
      if (flags.isSet("watch")) await watch(opened, context);
    } finally {
      opened.close();
    }
  },
};

const noIndexHint = "`reprise search` works without an index, by reading; it is only slower.";

function rebuild(context: CommandContext): void {
  const home = homeOf(context);
  const holder = storeHolder(home.leases, "catalog");
  if (holder !== undefined) {
    throw new RepriseError("session_busy", `The index is being written by ${holderName(holder)}.`);
  }
  const opened = openCatalog(home.derived);
  if ("why" in opened) return;
  opened.close();
  if (!opened.readOnly) removeDatabase(opened.path);
}

async function bringUp(catalog: Catalog, context: CommandContext): Promise<Updated> {
  const progress = indexProgress(context);
  const { deadlineMs: _deadline, ...options } = finderOptions(context);
  return freshen(catalog, { ...options, onProgress: progress.tell }).finally(progress.end);
}

/** Looks again every second, which costs a stat of each file, until the process is ended. */
async function watch(catalog: Catalog, context: CommandContext): Promise<void> {
  context.out.note("Watching; end with Ctrl-C.");
  const ended = new AbortController();
  process.once("SIGINT", () => ended.abort());
  process.once("SIGTERM", () => ended.abort());
  while (!ended.signal.aborted) {
    await sleep(watchMs, undefined, { signal: ended.signal }).catch(() => undefined);
    if (ended.signal.aborted) return;
    const { deadlineMs: _deadline, ...options } = finderOptions(context);
    const done = await freshen(catalog, { ...options, signal: ended.signal });
    if (done.read + done.gone > 0) await tell(catalog, done, context);
  }
}

async function tellStatus(catalog: Catalog, context: CommandContext): Promise<void> {
  const agents = await finderOptions(context).agents();
  const swept = sweep(catalog.connection, agents, context.env);
  const holder = storeHolder(homeOf(context).leases, "catalog");
  const pending = swept.stale.map(({ ref }) => ref);
  const busy = holder === undefined ? {} : { busy: holderName(holder) };
  await tell(catalog, { swept, read: 0, gone: 0, pending, ...busy }, context);
}

async function tell(catalog: Catalog, done: Updated, context: CommandContext): Promise<void> {
  const totals = indexTotals(catalog.connection);
  const sizeBytes = ["", "-wal"].reduce(
    (sum, side) => sum + (statSync(catalog.path + side, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  const facts = {
    path: catalog.path,
    sizeBytes,
    ...totals,
    pending: done.pending.length,
    indexed: done.read,
    ...(done.busy !== undefined && { busy: done.busy }),
    notes: catalog.notes,
  };
  if (context.json) return context.out.writeJson(facts);
  const lines = [
    `${sessionsText(totals)} with ${totals.events} events, ${sizeText(sizeBytes)} in ${catalog.path}`,
    ...(done.read > 0 ? [`${done.read} read now`] : []),
    ...(done.pending.length > 0 ? [`${done.pending.length} not up to date yet`] : []),
    ...(totals.gone > 0 ? [`${totals.gone} more are gone; the index still knows them`] : []),
    ...(totals.sealed > 0 ? [`${totals.sealed} are sealed; their text is left out`] : []),
    ...(done.busy !== undefined ? [`${done.busy} is indexing`] : []),
    ...catalog.notes,
  ];
  await context.out.write(`${lines.join("\n")}\n`);
}

function sessionsText({ sessions, subagents }: Totals): string {
  const own = `${sessions} ${sessions === 1 ? "session" : "sessions"}`;
  return subagents === 0 ? own : `${own} and ${subagents} of subagents`;
}
