import { setTimeout as sleep } from "node:timers/promises";
import { type IndexStatus, openIndex, type SearchIndex } from "../../../catalog/index/library.ts";
import { sizeText } from "../render/size.ts";
import type { Command, CommandContext } from "../run/command.ts";
import { indexProgress } from "../terminal/index-progress.ts";

const watchMs = 1_000;

/** `reprise index`: brings the search index up to date, or says how it stands. */
export const indexCommand: Command = {
  name: "index",
  summary: "bring the search index up to date, or report its state",
  details: `Every search updates the index for a moment; this command takes the time it needs. The index can be deleted at any
time and is built again, like all that lies beside it in the folder \`derived\`. The text of sealed sessions is left out unless --sealed is given once; --rebuild leaves it out
again.`,
  args: [],
  flags: [
    { flags: "--status", says: "only report its state", kind: "switch" },
    { flags: "--rebuild", says: "delete it and build it again", kind: "switch" },
    { flags: "--watch", says: "keep it up to date until interrupted", kind: "switch" },
    {
      flags: "--sealed",
      says: "include the text of sealed sessions; needs REPRISE_KEY",
      kind: "switch",
    },
  ],
  examples: [
    { line: "reprise index", says: "read everything that is new" },
    { line: "reprise index --status", says: "its size, and what it does not have yet" },
    { line: "reprise index --watch", says: "keep it up to date while you work" },
  ],
  json: `{ path: string, sizeBytes: number, sessions: number, subagents: number, events: number, gone: number,
  sealed: number,
  pending: number, indexed: number, busy?: string, notes: string[] }`,
  changes: ({ flags }) => !flags.isSet("status"),
  run: async ({ flags }, context) => {
    const index = openIndex({
      env: context.env,
      onNote: context.out.note,
      rebuild: flags.isSet("rebuild"),
      sealed: flags.isSet("sealed"),
    });
    try {
      if (flags.isSet("status")) return await tell(await index.status(), context);
      const progress = indexProgress(context);
      await tell(await index.update({ onProgress: progress.tell }).finally(progress.end), context);
      if (flags.isSet("watch")) await watch(index, context);
    } finally {
      index.close();
    }
  },
};

/** Looks again every second, which costs a stat of each file, until the process is ended. */
async function watch(index: SearchIndex, context: CommandContext): Promise<void> {
  context.out.note("Watching; end with Ctrl-C.");
  const ended = new AbortController();
  process.once("SIGINT", () => ended.abort());
  process.once("SIGTERM", () => ended.abort());
  let { gone } = await index.status();
  while (!ended.signal.aborted) {
    await sleep(watchMs, undefined, { signal: ended.signal }).catch(() => undefined);
    if (ended.signal.aborted) return;
    const status = await index.update({ signal: ended.signal });
    if (status.indexed > 0 || status.gone !== gone) await tell(status, context);
    gone = status.gone;
  }
}

async function tell(status: IndexStatus, context: CommandContext): Promise<void> {
  if (context.json) return context.out.writeJson(status);
  const { path, sizeBytes, events, gone, sealed, pending, indexed, busy, notes } = status;
  const lines = [
    `${sessionsText(status)} with ${events} events, ${sizeText(sizeBytes)} in ${path}`,
    ...(indexed > 0 ? [`${indexed} read now`] : []),
    ...(pending > 0 ? [`${pending} not up to date yet`] : []),
    ...(gone > 0 ? [`${gone} more are gone; the index still knows them`] : []),
    ...(sealed > 0 ? [`${sealed} are sealed; their text is left out`] : []),
    ...(busy !== undefined ? [`${busy} is indexing`] : []),
    ...notes,
  ];
  await context.out.write(`${lines.join("\n")}\n`);
}

function sessionsText({ sessions, subagents }: IndexStatus): string {
  const own = `${sessions} ${sessions === 1 ? "session" : "sessions"}`;
  return subagents === 0 ? own : `${own} and ${subagents} of subagents`;
}
