import { referenceTo } from "../../../agents/reference.ts";
import { RepriseError } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { oneLine } from "../../../model/text.ts";
import { markSession } from "../../../store/mark-session.ts";
import type { Command } from "../run/command.ts";
import { inShell, sessionInFirstWord, type WordsBehind } from "../sessions/first-word.ts";
import { homeOf, isNative, openNative } from "../sessions/native.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** `reprise rename`: gives a session a title, also one that another agent owns. */
export const rename: Command = {
  name: "rename",
  summary: "give a session a title",
  details: `The title of another agent's session is kept in Reprise's journal; the agent's file is not changed.`,
  args: [
    { name: "<ref>", says: "the session" },
    { name: "<title...>", says: "its new title" },
  ],
  flags: [],
  examples: [{ line: "reprise rename 3f9a Rate limit for uploads", says: "a title to find it by" }],
  json: "{ ref: string, title: string, entry?: number }",
  changes: () => true,
  run: async ({ args }, context) => {
    const found = sessionInFirstWord(args, titleBehind, context);
    const title = oneLine(args.slice(1).join(" "), limits.titleChars);
    if (title === "") throw new RepriseError("usage", "A title needs at least one letter.");
    const ref = referenceTo(found);
    if (!isNative(found)) {
      const entry = markSession(homeOf(context), found.head, { title });
      if (context.json) return context.out.writeJson({ ref, title, entry });
      return context.out.note(safeLine(`${ref} is now called “${title}” in Reprise.`));
    }
    const session = openNative(found, context);
    await session.setTitle(title).finally(() => session.close());
    if (context.json) return context.out.writeJson({ ref, title });
    context.out.note(safeLine(`${ref} is now called “${title}”.`));
  },
};

const titleBehind: WordsBehind = {
  least: 1,
  line: (reference, words) => `reprise rename ${reference} ${inShell(words.join(" "))}`,
};
