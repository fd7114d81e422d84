import { resolve } from "node:path";
import { drain } from "../../../bridge/state/drain.ts";
import { bridgeRoot } from "../../../bridge/state/places.ts";
import type { Command, CommandContext, FlagValues } from "../run/command.ts";
import { homeOf } from "../sessions/native.ts";

/** `reprise drain`: does the slow work that hooks leave undone. */
export const drainCommand: Command = {
  name: "drain",
  summary: "reconcile hook state with transcripts",
  details: `Compares what hooks counted with the transcripts, and corrects it: an agent that was killed could not call its hooks.
Sessions without events for a day are archived. Old checkpoints are thinned. Hooks run this automatically from time to time,
and at the start of a session with --base, so that later checkpoints of its folder are fast.`,
  args: [],
  flags: [
    {
      flags: "--background",
      says: "skip sessions that may still be running",
      kind: "switch",
    },
    { flags: "--base <folder>", says: "capture the files of this folder first", kind: "text" },
    { flags: "--session <ref>", says: "with --base: the session it belongs to", kind: "text" },
    { flags: "--base-only", says: "with --base: do nothing else", kind: "switch" },
  ],
  examples: [{ line: "reprise drain", says: "after an agent was killed" }],
  json: `{ base?: number, sessions: number, reconciled: { agent: string, session: string }[], archived: number,
  failed: number, busy: boolean }`,
  run: async ({ flags }, context) => {
    const { env, agents, nowMs } = context;
    const root = bridgeRoot(env.variables, env.home);
    const background = flags.isSet("background");
    const base = await baseFor(flags, context);
    await tidyFiles(context);
    if (flags.isSet("baseOnly")) return context.json ? context.out.writeJson({ base }) : undefined;
    const done = await drain({ root, env, agents, nowMs, background });
    if (context.json) return context.out.writeJson({ base, ...done });
    if (done.busy) return context.out.write("Another drain is at work.\n");
    const { sessions, reconciled, archived, failed } = done;
    await context.out.write(
      `${counted(sessions, "session")}: ${reconciled.length} compared with their transcripts, ${archived} archived${failed === 0 ? "" : `, ${failed} could not be read`}.\n`,
    );
  },
};

/** Captures the folder that was named; the number of the checkpoint, where one was taken. */
async function baseFor(flags: FlagValues, context: CommandContext): Promise<number | undefined> {
  const folder = flags.text("base");
  if (folder === undefined) return undefined;
  const { captureBase } = await import("../../../bridge/checkpoint/base.ts");
  const named = flags.text("session") ?? "";
  const colon = named.indexOf(":");
  const of = colon > 0 ? { agent: named.slice(0, colon), session: named.slice(colon + 1) } : {};
  const options = { home: homeOf(context), userHome: context.env.home, ...of };
  return captureBase(resolve(context.folder, folder), options)?.number;
}

/** Lets checkpoints go that time or the budget has no room for, now and then. */
async function tidyFiles(context: CommandContext): Promise<void> {
  const { tidyCheckpoints, tidyIsDue } = await import("../../../snapshot/keeping/tidy.ts");
  const home = homeOf(context);
  if (tidyIsDue(home)) tidyCheckpoints(home, { waitMs: 0 });
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
