import { closeSync, fstatSync } from "node:fs";
import { RepriseError } from "../../../base/errors.ts";
import { liveHolder } from "../../../base/lease.ts";
import { limits } from "../../../base/limits.ts";
import { openForReading } from "../../../base/open-file.ts";
import { readHeader } from "../../../log/header.ts";
import { verifyLog } from "../../../log/verify.ts";
import { type Damage, damageCount } from "../../../model/damage.ts";
import { ownAgent } from "../../../store/own-agent.ts";
import type { Command, CommandContext } from "../run/command.ts";
import { asRepriseError } from "../run/errors.ts";
import { homeOf, isNative } from "../sessions/native.ts";
import { readSession } from "../sessions/reading.ts";
import { referenceTo, resolveReference } from "../sessions/reference.ts";
import { type FoundSession, findSessions } from "../sessions/sessions.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** What checking one session found. */
interface Checked {
  readonly ref: string;
  readonly ok: boolean;
  readonly events: number;
  readonly damage: {
    readonly records: number;
    readonly recovered: number;
    readonly first: readonly Damage[];
  };
  readonly problem?: string;
}

/** `reprise verify`: reads sessions from end to end and tells every damage. */
export const verify: Command = {
  name: "verify",
  summary: "check sessions from end to end",
  details: `Our own sessions are checked line by line against their chained sums; another agent's are read whole.
Nothing is changed, but for what a writer that was cut off left to be put back. The exit code is 1 where something is damaged.`,
  args: [
    { name: "[refs...]", says: "sessions to check; all of our own store where none is named" },
  ],
  flags: [{ flags: "--all", says: "every session of every agent", kind: "switch" }],
  examples: [
    { line: "reprise verify", says: "the whole store" },
    { line: "reprise verify 3f9a codex:01a1", says: "two sessions" },
  ],
  json: `{ sessions: { ref: string, ok: boolean, events: number, problem?: string,
  damage: { records: number, recovered: number, first: Damage[] } }[] }`,
  run: async ({ args, flags }, context) => {
    const sessions = chosen(args, flags.isSet("all"), context);
    const results: Checked[] = [];
    for (const session of sessions) {
      const result = await check(session, context);
      results.push(result);
      if (!context.json) await context.out.write(resultText(result, context));
    }
    if (context.json) await context.out.writeJson({ sessions: results });
    else if (results.length === 0) await context.out.write("No sessions.\n");
    const bad = results.filter(({ ok }) => !ok).length;
    if (bad === 0) return;
    throw new RepriseError(
      "damaged",
      `${bad} of ${results.length} sessions ${bad === 1 ? "is" : "are"} damaged.`,
      {
        hint: "Nothing was changed. What is whole can be read; an append mends the end of our own.",
      },
    );
  },
};

function chosen(
  args: readonly string[],
  all: boolean,
  context: CommandContext,
): readonly FoundSession[] {
  if (args.length > 0) return args.map((ref) => resolveReference(ref, context));
  return findSessions(context, all ? { subagents: true } : { agent: ownAgent, subagents: true });
}

async function check(session: FoundSession, context: CommandContext): Promise<Checked> {
  const ref = referenceTo(session);
  try {
    const { tally, events } = readSession(session, { allBranches: true });
    for await (const _event of events);
    // After it was opened: that puts back what a power cut left beside it.
    const damage = isNative(session) ? checkLog(session, context) : { events: 0, problems: [] };
    const foreign = isNative(session) ? [] : tally.damages;
    const first = [...damage.problems, ...foreign].slice(0, limits.reportedDamages);
    const records = damage.problems.length + (isNative(session) ? 0 : tally.damaged);
    const recovered = isNative(session)
      ? damage.problems.reduce((sum, one) => sum + one.recovered, 0)
      : tally.recovered;
    return {
      ref,
      ok: records === 0,
      events: tally.events,
      damage: { records, recovered, first },
    };
  } catch (error) {
    const problem = asRepriseError(error).message;
    return { ref, ok: false, events: 0, damage: { records: 0, recovered: 0, first: [] }, problem };
  }
}

/** Checks the sums of a file of ours; an unfinished end counts where nobody is writing it. */
function checkLog(
  session: FoundSession,
  context: CommandContext,
): { readonly problems: readonly Damage[] } {
  const fd = openForReading(session.ref.path);
  try {
    const { start } = readHeader(fd, session.ref.path);
    const firstId = (start.base?.event ?? 0) + 1;
    const { problems, unfinishedBytes, bytes } = verifyLog(fd, {
      firstId,
      firstSum: start.base?.sum ?? "",
    });
    const isBeingWritten =
      liveHolder(homeOf(context).leases, start.session) !== undefined ||
      fstatSync(fd).size !== bytes;
    if (unfinishedBytes === 0 || isBeingWritten) return { problems };
    const offset = bytes - unfinishedBytes;
    const torn: Damage = { kind: "torn_tail", offset, length: unfinishedBytes, recovered: 0 };
    return { problems: [...problems, torn] };
  } finally {
    closeSync(fd);
  }
}

function resultText(result: Checked, { colours }: CommandContext): string {
  const { ref, ok, events, damage, problem } = result;
  if (ok)
    return `${colours.green("ok")}       ${safeLine(ref)}  ${events === 1 ? "1 event" : `${events} events`}\n`;
  const word = problem ?? damageCount(damage.records, damage.recovered);
  const places = damage.first
    .slice(0, 5)
    .map(({ kind, offset, detail }) => {
      return `         ${kind} at byte ${offset}${detail === undefined ? "" : `, ${safeLine(detail)}`}\n`;
    })
    .join("");
  return `${colours.red("damaged")}  ${safeLine(ref)}  ${safeLine(word)}\n${places}`;
}
