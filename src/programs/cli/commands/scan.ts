import type { AgentEvent } from "../../../agents/contract.ts";
import { type FoundSession, findSessions } from "../../../agents/find-sessions.ts";
import { readSession } from "../../../agents/reading.ts";
import { referenceTo, resolveReference } from "../../../agents/reference.ts";
import { RepriseError } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { createMasker, type Found } from "../../../redact/mask.ts";
import { maskValueWith } from "../../../redact/mask-value.ts";
import { ruleCount } from "../../../redact/scan.ts";
import type { Command, CommandContext } from "../run/command.ts";
import { asRepriseError, exitCodes } from "../run/errors.ts";
import { type Progress, progress } from "../terminal/progress.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** What one session holds: kinds and counts, and where; never a secret itself. */
interface Scanned {
  readonly ref: string;
  readonly secrets: number;
  readonly kinds: readonly (Found & { readonly events: readonly string[] })[];
  readonly problem?: string;
}

/** `reprise scan`: which sessions hold what kind of secret; prints none of them. */
export const scan: Command = {
  name: "scan",
  summary: "report which sessions hold which kinds of secrets",
  details: `Prints kinds, counts and events, never a secret. Also looks at abandoned branches and at parts of records that
\`show\` does not print, but not at records that belong to no event. The exit code is 0 if no rule matched and every session
could be read, else 1. A session without a match may still hold secrets: read it before you share it.`,
  args: [{ name: "[refs...]", says: "sessions to look through (default: all of every agent)" }],
  flags: [{ flags: "--all", says: "check every session of every agent (default)", kind: "switch" }],
  examples: [
    { line: "reprise scan @last", says: "before it is shared" },
    { line: "reprise scan --json", says: "everything, for a script" },
  ],
  json: `{ rules: number, sessions: { ref: string, secrets: number, problem?: string,
  kinds: { rule: string, count: number, events: string[] }[] }[] }`,
  run: async ({ args, flags }, context) => {
    if (flags.isSet("all") && args.length > 0) {
      throw new RepriseError("usage", "Give --all or sessions, not both.");
    }
    const sessions = chosen(args, context);
    const told = progress(context, { verb: "Scanned", toFile: true });
    const results: Scanned[] = [];
    try {
      for (const session of sessions) results.push(await scanned(session, told));
    } finally {
      told.end();
    }
    const bad = results.filter(({ secrets, problem }) => secrets > 0 || problem !== undefined);
    if (bad.length > 0) process.exitCode = exitCodes.failed;
    if (context.json) return context.out.writeJson({ rules: ruleCount, sessions: results });
    for (const result of bad) await context.out.write(resultText(result, context));
    await context.out.write(summaryText(results));
  },
};

function chosen(args: readonly string[], context: CommandContext): readonly FoundSession[] {
  if (args.length > 0) return args.map((ref) => resolveReference(ref, context));
  return findSessions(context, { subagents: true });
}

async function scanned(session: FoundSession, told: Progress): Promise<Scanned> {
  const ref = referenceTo(session);
  const counts = new Map<string, { count: number; readonly events: string[] }>();
  const outcome = () => ({
    ref,
    secrets: [...counts.values()].reduce((sum, { count }) => sum + count, 0),
    kinds: [...counts].map(([rule, { count, events }]) => ({ rule, count, events })),
  });
  try {
    for await (const events of byRecord(readSession(session, { allBranches: true }).events)) {
      told.add(events.length);
      const shown = events.flatMap(({ native: _native, number, ...said }) =>
        foundIn(said).map((found) => ({ ...found, number })),
      );
      for (const { rule, count, number } of [...shown, ...besides(shown, events[0])]) {
        const kind = counts.get(rule) ?? { count: 0, events: [] };
        kind.count += count;
        if (kind.events.length < limits.reportedIds) kind.events.push(`${ref}@${number}`);
        counts.set(rule, kind);
      }
    }
    return outcome();
  } catch (error) {
    return { ...outcome(), problem: asRepriseError(error).message };
  }
}

/** The events of one native record together; those of a session of ours have none and come alone. */
async function* byRecord(events: AsyncIterable<AgentEvent>): AsyncGenerator<readonly AgentEvent[]> {
  let held: AgentEvent[] = [];
  for await (const event of events) {
    if (held.length > 0 && (event.native === undefined || event.native !== held[0]?.native)) {
      yield held;
      held = [];
    }
    held.push(event);
  }
  if (held.length > 0) yield held;
}

/** What kinds a record holds that none of its events shows; what they show it holds again. */
function besides(
  shown: readonly Found[],
  first: AgentEvent | undefined,
): readonly (Found & { readonly number: string })[] {
  if (first?.native === undefined) return [];
  const { native, number } = first;
  return foundIn(native)
    .filter(({ rule }) => !shown.some((found) => found.rule === rule))
    .map((found) => ({ ...found, number }));
}

function foundIn(value: unknown): readonly Found[] {
  const masker = createMasker();
  maskValueWith(masker, value);
  return masker.found();
}

/** How many events of a kind are named to a person; --json names more. */
const shownEvents = 3;

function resultText({ ref, kinds, problem }: Scanned, { colours }: CommandContext): string {
  const lines = kinds.map(({ rule, count, events }) => {
    const more = events.length > shownEvents ? ` and ${events.length - shownEvents} more` : "";
    return `  ${rule} ${count}  ${events.slice(0, shownEvents).map(safeLine).join(" ")}${more}\n`;
  });
  const trouble = problem === undefined ? "" : `  could not be read: ${safeLine(problem)}\n`;
  return `${colours.yellow(safeLine(ref))}\n${lines.join("")}${trouble}`;
}

function summaryText(results: readonly Scanned[]): string {
  const holding = results.filter(({ secrets }) => secrets > 0).length;
  const sessions = results.length === 1 ? "1 session" : `${results.length} sessions`;
  if (holding === 0)
    return `No secret matched the ${ruleCount} rules in ${sessions}. Rules cannot find every secret: read a session before you share it.\n`;
  const total = results.reduce((sum, { secrets }) => sum + secrets, 0);
  return `${total === 1 ? "1 secret" : `${total} secrets`} in ${holding} of ${sessions}. \`reprise share\` masks them.\n`;
}
