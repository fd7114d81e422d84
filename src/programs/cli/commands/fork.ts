import type { Command } from "../command.ts";
import { eventIdOf, openNative } from "../native.ts";
import { resolveReference } from "../reference.ts";

/** `reprise fork`: a new session that shares the history of another up to an event. */
export const fork: Command = {
  name: "fork",
  summary: "a new session that shares another's history up to an event",
  args: [{ name: "<ref...>", says: "the session, or the event to fork at: ref@57" }],
  flags: [
    { flags: "--title <title>", says: "the fork's title", kind: "text" },
    { flags: "--id <id>", says: "your own id instead of a new one", kind: "text" },
  ],
  examples: [
    { line: "reprise fork @last", says: "from its end" },
    { line: 'reprise fork 0199@12 --title "Other way"', says: "from event 12" },
  ],
  json: "{ session: string, file: string, base: { session: string, event: number } }",
  run: async ({ args, flags }, context) => {
    const found = resolveReference(args.join(" "), context);
    const base = openNative(found, context);
    try {
      const event = eventIdOf(found) ?? base.getLeafId();
      const title = flags.text("title");
      const id = flags.text("id");
      const made = base.fork(event, {
        ...(title !== undefined && { title }),
        ...(id !== undefined && { id }),
      });
      const session = made.getSessionId();
      const file = made.getSessionFile();
      await made.close();
      const from = { session: base.getSessionId(), event };
      if (context.json) return await context.out.writeJson({ session, file, base: from });
      await context.out.write(`${session}\n`);
    } finally {
      await base.close();
    }
  },
};
