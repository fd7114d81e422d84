import { type FoundSession, findSessions } from "../../../agents/find-sessions.ts";
import { readSession } from "../../../agents/reading.ts";
import { referenceTo, resolveReference } from "../../../agents/reference.ts";
import { RepriseError } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { type Damage, damageCount, isRecovered } from "../../../model/damage.ts";
import { ownAgent } from "../../../store/own-agent.ts";
import { openLog } from "../../../store/sessions.ts";
import { count } from "../render/count.ts";
import type { Command, CommandContext } from "../run/command.ts";
import { asRepriseError } from "../run/errors.ts";
import { isNative } from "../sessions/native.ts";
import { progress } from "../terminal/progress.ts";
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
  /** It was not read, through no fault of its own: a program is missing. */
  readonly unread?: boolean;
  /** It is sealed and nobody gave the key: only its sums were checked. */
  readonly unopened?: boolean;
  /** Its first record follows one of another file, or one that was cut off. */
  readonly continued?: boolean;
}

/** `reprise verify`: reads sessions from end to end and reports every damage. */
export const verify: Command = {
  name: "verify",
  summary: "check sessions for damage",
  details: `Reprise's own sessions are checked line by line against their chained checksums and opened with all their content,
sealed ones with the key in REPRISE_KEY; other agents' sessions are read completely. Nothing is changed, except that a write
that was cut off is finished. Without a session all of them are checked, and only those that are not sound are listed. The exit
code is 1 if something is damaged.`,
  args: [{ name: "[refs...]", says: "sessions to check (default: all of every agent)" }],
  flags: [
    { flags: "--all", says: "check every session of every agent (default)", kind: "switch" },
    { flags: "--own", says: "check only the sessions of Reprise's own store", kind: "switch" },
  ],
  examples: [
    { line: "reprise verify", says: "every session" },
    { line: "reprise verify --own", says: "Reprise's own store" },
    { line: "reprise verify 3f9a codex:01a1", says: "two sessions" },
  ],
  json: `{ sessions: { ref: string, ok: boolean, events: number, problem?: string, unread?: true, unopened?: true, continued?: true,
  damage: { records: number, recovered: number, first: Damage[] } }[] }`,
  run: async ({ args, flags }, context) => {
    if (flags.isSet("own") && (flags.isSet("all") || args.length > 0)) {
      throw new RepriseError("usage", "Give --own, --all or sessions, not several of them.");
    }
    const sessions = chosen(args, flags.isSet("own"), context);
    const told = progress(context, {
      verb: "Checked",
      toFile: true,
      amount: (done) => `${done} of ${count(sessions.length, "session")}`,
    });
    const results: Checked[] = [];
    try {
      for (const session of sessions) {
        results.push(await check(session, context));
        told.add(1);
      }
    } finally {
      told.end();
    }
    const unread = results.filter((result) => result.unread).length;
    const bad = results.filter(({ ok }) => !ok).length - unread;
    if (context.json) await context.out.writeJson({ sessions: results });
    else {
      // Of a hundred sessions those that are sound are not what people look for.
      const shown = args.length > 0 ? results : results.filter(({ ok }) => !ok);
      for (const result of shown) await context.out.write(resultText(result, context));
      if (args.length === 0 && bad + unread === 0)
        await context.out.write(`${count(results.length, "session")} checked, 0 damaged.\n`);
    }
    if (bad === 0 && unread === 0) return;
    if (bad === 0)
      throw new RepriseError("no_sqlite", `${unread} of ${results.length} could not be checked.`);
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
  own: boolean,
  context: CommandContext,
): readonly FoundSession[] {
  if (args.length > 0) return args.map((ref) => resolveReference(ref, context));
  return findSessions(context, own ? { agent: ownAgent, subagents: true } : { subagents: true });
}

async function check(session: FoundSession, context: CommandContext): Promise<Checked> {
  const ref = referenceTo(session);
  try {
    return {
      ref,
      ...(isNative(session) ? checkNative(session, context) : await checkForeign(session)),
    };
  } catch (error) {
    const { code, message: problem } = asRepriseError(error);
    const damage = { records: 0, recovered: 0, first: [] };
    const isUnread = code === "no_sqlite";
    return { ref, ok: false, events: 0, damage, problem, ...(isUnread && { unread: true }) };
  }
}

type Result = Omit<Checked, "ref">;

/** Checks a session of ours by its sums, and for everything a reader would report. */
function checkNative(session: FoundSession, context: CommandContext): Result {
  const log = openLog(session.ref.path, { env: context.env });
  try {
    const { events, problems, isOpened } = log.verify();
    const recovered = problems.filter(isRecovered).length;
    const first = problems.slice(0, limits.reportedDamages);
    return {
      ok: problems.length === 0,
      events,
      damage: { records: problems.length, recovered, first },
      ...(!isOpened && { unopened: true }),
    };
  } finally {
    void log.close();
  }
}

/** Reads another agent's session whole. */
async function checkForeign(session: FoundSession): Promise<Result> {
  const { tally, events } = readSession(session, { allBranches: true });
  for await (const _event of events);
  const { damaged: records, recovered, damages: first } = tally;
  return {
    ok: records === 0,
    events: tally.events,
    damage: { records, recovered, first },
    ...(tally.continued && { continued: true as const }),
  };
}

function resultText(result: Checked, { colours }: CommandContext): string {
  const { ref, ok, events, damage, problem, unread, unopened, continued } = result;
  if (ok) {
    const sealed = unopened ? ", sealed: without the key only the sums were checked" : "";
    const began = continued ? ", continues another file or was cut off at its beginning" : "";
    return `${colours.green("ok")}       ${safeLine(ref)}  ${count(events, "event")}${sealed}${began}\n`;
  }
  if (unread) return `${colours.yellow("not read")} ${safeLine(ref)}  ${safeLine(problem ?? "")}\n`;
  const word = problem ?? damageCount(damage.records, damage.recovered);
  const places = damage.first
    .slice(0, 5)
    .map(({ kind, offset, detail }) => {
      return `         ${kind} at byte ${offset}${detail === undefined ? "" : `, ${safeLine(detail)}`}\n`;
    })
    .join("");
  return `${colours.red("damaged")}  ${safeLine(ref)}  ${safeLine(word)}\n${places}`;
}
