import { RepriseError } from "../../../base/errors.ts";
import { collect } from "../../../store/collect.ts";
import type { Home } from "../../../store/home.ts";
import { sessionFilesIn, sessionFolders } from "../../../store/locate.ts";
import { type Pruned, planPrune, prune as pruneStore } from "../../../store/prune.ts";
import { type Expired, type Retention, retentionPresets } from "../../../store/retention.ts";
import { sweepTemporaries } from "../../../store/sweep.ts";
import { retentionIn } from "../config/retention.ts";
import { readSettings } from "../config/settings.ts";
import { count } from "../render/count.ts";
import { shortTitleOf } from "../render/heading.ts";
import { sizeText } from "../render/size.ts";
import { relativeTime } from "../render/time.ts";
import type { Command, CommandContext, Invocation } from "../run/command.ts";
import { confirmPlan, yesFlag } from "../run/plan.ts";
import { homeOf } from "../sessions/native.ts";
import { progress } from "../terminal/progress.ts";
import { safeLine } from "../terminal/terminal-text.ts";

const presets = Object.keys(retentionPresets) as (keyof typeof retentionPresets)[];

/** `reprise prune`: lets old sessions of our own store go, by a policy. */
export const prune: Command = {
  name: "prune",
  summary: "delete old sessions from Reprise's own store",
  details: `Deletes only sessions of Reprise's own store, and no pinned ones. A compressed copy is kept in archive/, and
\`reprise undo\` restores it, unless --without-archive is given. Large content that no session and no copy refers to is
deleted a day after its last use. Without a rule those of your settings (\`reprise config\`) are used. Without --yes the plan
is shown. Old sessions of every agent: \`reprise delete --until <time>\`.`,
  args: [],
  flags: [
    { flags: "--ttl <days>", says: "delete sessions not used for this many days", kind: "count" },
    { flags: "--fixed-ttl", says: "count the days from creation", kind: "switch" },
    {
      flags: "--max-sessions <count>",
      says: "keep this many of the newest sessions",
      kind: "count",
    },
    { flags: "--max-bytes <size>", says: "keep the newest up to this size", kind: "size" },
    {
      flags: "--preset <name>",
      says: `use a named policy: ${presets.join(", ")}`,
      kind: "text",
      choices: presets,
    },
    { flags: "--without-archive", says: "keep no compressed copy", kind: "switch" },
    yesFlag,
  ],
  examples: [
    { line: "reprise prune --ttl 90", says: "show what would be deleted" },
    { line: "reprise prune --max-bytes 2GB --yes", says: "delete it" },
  ],
  json: `{ remove: { session: string, rule: "ttl" | "maxSessions" | "maxBytes", sizeBytes: number }[],
  done: boolean, removed?: { session: string, file: string, begunAt: string, archive?: string,
    standsOn: { session: string, begunAt: string }[], heldByForks: boolean,
    bases: { session: string, archive?: string }[] }[],
  busy?: string[], failed?: { session: string, why: string }[], entry?: number,
  freedBytes?: number, notFreed?: string }`,
  changes: ({ flags }) => flags.isSet("yes"),
  run: async (invocation, context) => {
    const given = policyFrom(invocation);
    const policy = hasRule(given) ? given : { ...settledPolicy(context), ...given };
    if (!context.json && !hasRule(given)) context.out.note(settingsText(policy));
    const home = homeOf(context);
    const plan = planPrune(home, policy, context.nowMs);
    const remove = plan.map(({ head, rule }) => {
      return { session: head.session, rule, sizeBytes: head.sizeBytes };
    });
    if (plan.length === 0) {
      const freed = invocation.flags.isSet("yes") ? free(home, context) : {};
      if (context.json) {
        const nothing = { removed: [], busy: [], failed: [] };
        return context.out.writeJson({ remove, done: true, ...nothing, ...freed });
      }
      await context.out.write(`Nothing to remove: ${whyNothing(home, policy)}\n`);
      return tellFreed(freed, context);
    }
    await confirmPlan(
      { text: planText(plan, policy, context), json: { remove } },
      invocation,
      context,
    );
    const pruned = pruneStore(home, policy, context.nowMs);
    const freed = free(home, context);
    if (context.json) await context.out.writeJson({ remove, done: true, ...pruned, ...freed });
    else {
      tell(pruned, plan.length, context);
      tellFreed(freed, context);
    }
    const failed = pruned.failed.length;
    if (failed === 0) return;
    throw new RepriseError("failed", `${count(failed, "session")} could not be removed.`, {
      hint: "The others were handled as told; `reprise undo` brings back what was removed.",
    });
  },
};

function tell({ removed, busy, failed }: Pruned, planned: number, { out }: CommandContext): void {
  out.note(`Removed ${removed.length} of ${count(planned, "session")}.`);
  for (const session of busy) out.note(`${safeLine(session)} is in use and was left.`);
  for (const { session, why } of failed) out.note(`${safeLine(session)} stays: ${safeLine(why)}`);
}

/** What became of large content that nothing refers to any more. */
interface Freed {
  readonly freedBytes?: number;
  readonly notFreed?: string;
}

/** Sessions are gone or not, whatever becomes of their content: the next time may be luckier. */
function free(home: Home, context: CommandContext): Freed {
  const { nowMs } = context;
  const told = progress(context, { verb: "Looked through", toFile: true, amount: sizeText });
  try {
    // Also those of programs that use the store as a library: no command hears of their end.
    sweepTemporaries(home, nowMs);
    return { freedBytes: collect(home, { nowMs, onRead: told.add }).freedBytes };
  } catch (error) {
    return { notFreed: error instanceof Error ? error.message : String(error) };
  } finally {
    told.end();
  }
}

function tellFreed({ freedBytes = 0, notFreed }: Freed, { out }: CommandContext): void {
  if (freedBytes > 0) out.note(`Deleted ${sizeText(freedBytes)} that nothing refers to any more.`);
  if (notFreed !== undefined) out.note(`Large content was left as it is: ${safeLine(notFreed)}`);
}

function policyFrom({ flags }: Invocation): Retention {
  const preset = flags.text("preset") as keyof typeof retentionPresets | undefined;
  const policy: Retention = {
    ...(preset !== undefined && retentionPresets[preset]),
    ...(flags.number("ttl") !== undefined && { ttlDays: flags.number("ttl") }),
    ...(flags.number("maxSessions") !== undefined && { maxSessions: flags.number("maxSessions") }),
    ...(flags.number("maxBytes") !== undefined && { maxBytes: flags.number("maxBytes") }),
    fixedTtl: flags.isSet("fixedTtl"),
    withoutArchive: flags.isSet("withoutArchive"),
  };
  return policy;
}

function hasRule({ ttlDays, maxSessions, maxBytes }: Retention): boolean {
  return [ttlDays, maxSessions, maxBytes].some((limit) => limit !== undefined);
}

/** The rules of the user's settings; `usage` if there are none. */
function settledPolicy({ env }: CommandContext): Retention {
  const policy = retentionIn(readSettings(env));
  if (policy !== undefined) return policy;
  throw new RepriseError("usage", "No retention rule given.", {
    hint: "Give --ttl, --max-sessions, --max-bytes or --preset, or set one: `reprise config set retention.ttlDays 90`.",
  });
}

function settingsText({ ttlDays, maxSessions, maxBytes }: Retention): string {
  const rules = Object.entries({ ttlDays, maxSessions, maxBytes });
  const set = rules.filter(([, limit]) => limit !== undefined);
  return `By your settings: ${set.map(([name, limit]) => `retention.${name} ${limit}`).join(", ")}.`;
}

function whyNothing(home: Home, { ttlDays }: Retention): string {
  const isEmpty = sessionFolders(home).flatMap(sessionFilesIn).length === 0;
  const why = isEmpty
    ? "Reprise's own store is empty"
    : "no session of Reprise's own store is too old or too many";
  const until = ttlDays === undefined ? "<time>" : `${ttlDays}d`;
  return `${why}. Sessions of other agents are not touched: \`reprise delete --until ${until}\` deletes old ones of every agent.`;
}

function planText(
  plan: readonly Expired[],
  { withoutArchive }: Retention,
  { nowMs }: CommandContext,
): string {
  const lines = plan.map(({ head, rule }) => {
    const age = relativeTime(Date.parse(head.updatedAt), nowMs);
    return `  ${head.session}  ${age}  ${sizeText(head.sizeBytes)}  ${rule}  ${shortTitleOf(head)}\n`;
  });
  const total = plan.reduce((sum, { head }) => sum + head.sizeBytes, 0);
  const sessions = plan.length === 1 ? "1 session" : `${plan.length} sessions`;
  // A compressed copy refers to what the session did.
  const content = withoutArchive ? ", and the large content that only they refer to" : "";
  return `Would remove ${sessions}, ${sizeText(total)}${content}:\n${lines.join("")}`;
}
