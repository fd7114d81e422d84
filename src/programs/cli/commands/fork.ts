import { knownAgent } from "../../../agents/known-agent.ts";
import { type NamedSession, resolveReference } from "../../../agents/reference.ts";
import { RepriseError } from "../../../base/errors.ts";
import { ownAgent } from "../../../store/own-agent.ts";
import {
  agreeToWrite,
  asksForAnother,
  conversionFlags,
  convertSession,
  reportShape,
  requestFrom,
  tellPlan,
  writtenText,
} from "../resume/conversion.ts";
import { beforeFlag, endedBefore, endingNote } from "../resume/ending.ts";
import type { Command, CommandContext, Invocation } from "../run/command.ts";
import { eventIdOf, isNative, openNative } from "../sessions/native.ts";

/** `reprise fork`: a new session that shares the history of another up to an event. */
export const fork: Command = {
  name: "fork",
  summary: "make a new session that shares another's history up to an event",
  details: `Works for every agent, even if the agent itself cannot fork at an event: a new session is written into its store, or
with --in into another agent's. \`reprise undo\` removes it. Reprise's own sessions share their history instead of copying
it. If ref@57 is a prompt, the copy ends with it, unanswered; with --before it ends before it, so that something else can be
asked (\`reprise show <ref> --prompts\` lists prompts).`,
  args: [{ name: "<ref...>", says: "the session, or the event to fork at: ref@57" }],
  flags: [
    { flags: "--in <agent>", says: "the agent to write it for", kind: "text" },
    beforeFlag,
    { flags: "--title <title>", says: "the fork's title", kind: "text" },
    {
      flags: "--id <id>",
      says: "your own id instead of a new one; our own sessions only",
      kind: "text",
    },
    ...conversionFlags,
  ],
  examples: [
    { line: "reprise fork @last", says: "from its end" },
    { line: "reprise fork @last@57 --before", says: "ask something else instead of prompt 57" },
    { line: 'reprise fork 0199@12 --title "Other way"', says: "from event 12" },
    {
      line: "reprise fork claude-code:3f9a@57 --in codex",
      says: "from event 57, for another agent",
    },
  ],
  json: `{ session: string, file: string, base: { session: string, event: number } }
or, for another agent: { ref: string, path: string, entry: number } & Report
Report = ${reportShape}`,
  changes: ({ flags }) => !flags.isSet("dryRun"),
  run: async (invocation, context) => {
    const named = resolveReference(invocation.args.join(" "), context);
    const found = await endedBefore(named, invocation);
    const names = context.agents.map(({ name }) => name);
    const into = knownAgent(invocation.flags.text("in"), names) ?? found.agent.name;
    const isOurs = into === ownAgent && isNative(found) && !asksForAnother(invocation);
    if (isOurs) return forkNative(found, invocation, context);
    if (invocation.flags.isSet("id")) {
      throw new RepriseError("usage", "--id goes with our own sessions; other agents make theirs.");
    }
    const request = requestFrom(found, into, invocation, context);
    if (invocation.flags.isSet("dryRun")) {
      const ending = await endingNote(found, invocation, { verb: "fork", isPlan: true });
      return tellPlan(request, context, ending);
    }
    await agreeToWrite(request, invocation, context);
    const { written, entry, ...report } = await convertSession(request);
    const ref = `${into}:${written.ref.session}`;
    if (context.json)
      return context.out.writeJson({ ref, path: written.ref.path, entry, ...report });
    const ending = await endingNote(found, invocation, { verb: "fork" });
    context.out.note(writtenText(request, report, ending));
    context.out.note(`Continue it with \`reprise resume ${ref}\`.`);
    await context.out.write(`${ref}\n`);
  },
};

async function forkNative(
  found: NamedSession,
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const { flags } = invocation;
  const isPlan = flags.isSet("dryRun");
  const ending = context.json
    ? undefined
    : await endingNote(found, invocation, { verb: "fork", isPlan });
  const base = openNative(found, context);
  try {
    const event = eventIdOf(found) ?? base.getLeafId();
    const from = { session: base.getSessionId(), event };
    if (isPlan) {
      if (ending !== undefined) context.out.note(ending);
      if (context.json) return await context.out.writeJson({ base: from, written: false });
      return await context.out.write(`It would share everything up to event ${event}.\n`);
    }
    const title = flags.text("title");
    const id = flags.text("id");
    const made = base.fork(event, {
      ...(title !== undefined && { title }),
      ...(id !== undefined && { id }),
    });
    const session = made.getSessionId();
    const file = made.getSessionFile();
    await made.close();
    if (context.json) return await context.out.writeJson({ session, file, base: from });
    if (ending !== undefined) context.out.note(ending);
    await context.out.write(`${session}\n`);
  } finally {
    await base.close();
  }
}
