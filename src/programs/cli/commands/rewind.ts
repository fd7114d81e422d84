import { type NamedSession, referenceTo, resolveReference } from "../../../agents/reference.ts";
import { RepriseError } from "../../../base/errors.ts";
import { record } from "../../../log/journal.ts";
import type { Command } from "../run/command.ts";
import { confirmPlan, yesFlag } from "../run/plan.ts";
import { eventIdOf, homeOf, isNative, openNative } from "../sessions/native.ts";

/** `reprise rewind`: goes back to an earlier event; what came after stays in the log. */
export const rewind: Command = {
  name: "rewind",
  summary: "go back to an earlier event of a session",
  details: "What came after stays in the log and can be shown; `reprise undo` goes forward again.",
  args: [{ name: "<ref...>", says: "the event to go back to: ref@57" }],
  flags: [{ flags: "--reason <text>", says: "why, for the log", kind: "text" }, yesFlag],
  examples: [{ line: "reprise rewind @last@12 --yes", says: "the next event follows event 12" }],
  json: "{ session: string, to: number, from: number, event?: number, done: boolean }",
  changes: ({ flags }) => flags.isSet("yes"),
  run: async (invocation, context) => {
    const found = resolveReference(invocation.args.join(" "), context);
    if (!isNative(found)) throw notOurs(found);
    const to = eventIdOf(found);
    if (to === undefined) {
      throw new RepriseError("usage", "Which event to go back to?", {
        hint: "Name it behind the session: `reprise rewind ref@57`.",
      });
    }
    const session = openNative(found, context);
    try {
      const from = session.getLeafId();
      const json = { session: session.getSessionId(), to, from };
      if (to < 1 || to > from) {
        throw new RepriseError("not_found", `There is no event ${to}; the last is ${from}.`, {
          hint: `See its events with \`reprise show ${referenceTo(found)}\`.`,
        });
      }
      const text = `Go back to event ${to}; the session is at ${from}, and what lies between leaves the path.\n`;
      await confirmPlan({ text, json }, invocation, context);
      const event = await session.rewind(to, invocation.flags.text("reason"));
      record(homeOf(context).journal, "rewind", { ...json, file: found.ref.path, event: event.id });
      if (context.json) {
        return await context.out.writeJson({ ...json, event: event.id, done: true });
      }
      context.out.note(`Went back to event ${to}; this is event ${event.id}.`);
    } finally {
      await session.close();
    }
  },
};

/** Another agent's session is never changed: a fork of it ends at the event. */
function notOurs(found: NamedSession): RepriseError {
  const ref = `${referenceTo(found)}@${found.event ?? "<event>"}`;
  const { title } = found.agent;
  return new RepriseError("unsupported", `This session belongs to ${title}; it stays as it is.`, {
    hint: `Make a session that ends at that event, ready to continue in ${title}: \`reprise fork ${ref}\`.`,
  });
}
