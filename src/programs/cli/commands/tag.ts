import { referenceTo, resolveReference } from "../../../agents/reference.ts";
import { RepriseError } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { markSession } from "../../../store/mark-session.ts";
import type { Command } from "../run/command.ts";
import { homeOf, isNative, openNative } from "../sessions/native.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** `reprise tag`: adds and removes tags, pins and unpins; without any of them it prints the tags. */
export const tag: Command = {
  name: "tag",
  summary: "tag a session, pin it, or see its tags",
  details: `Tags of another agent's session are kept in Reprise's journal; the agent's file is not changed. A pinned session is
never pruned.`,
  args: [
    { name: "<ref>", says: "the session" },
    { name: "[tags...]", says: "tags to add" },
  ],
  flags: [
    { flags: "--remove <tag>", says: "remove this tag; repeat for several", kind: "texts" },
    { flags: "--pin", says: "pin it", kind: "switch" },
    { flags: "--unpin", says: "unpin it", kind: "switch" },
  ],
  examples: [
    { line: "reprise tag @last release", says: "then `reprise show release` finds it" },
    { line: "reprise tag 3f9a --remove release --pin", says: "take a tag away and pin" },
  ],
  json: "{ ref: string, tags: string[], pinned: boolean, entry?: number }",
  changes: ({ args, flags }) =>
    args.length > 1 || ["remove", "pin", "unpin"].some((name) => flags.isSet(name)),
  run: async ({ args, flags }, context) => {
    if (flags.isSet("pin") && flags.isSet("unpin")) {
      throw new RepriseError("usage", "Either --pin or --unpin.");
    }
    const found = resolveReference(args[0] ?? "", context);
    const added = args.slice(1).map(checkedTag);
    const removed = new Set(flags.texts("remove"));
    const changed = (known: Facts): Required<Facts> => {
      const { tags: before = [], pinned: wasPinned = false } = known;
      const tags = [...new Set([...before, ...added])].filter((name) => !removed.has(name));
      if (tags.length > limits.tags) {
        throw new RepriseError("too_large", `A session has at most ${limits.tags} tags.`);
      }
      return { tags, pinned: flags.isSet("pin") || (wasPinned && !flags.isSet("unpin")) };
    };
    const { head } = found;
    const missing = [...removed].filter((name) => head.tags?.includes(name) !== true);
    if (missing.length > 0) {
      throw new RepriseError("not_found", `The session has no tag ${JSON.stringify(missing[0])}.`, {
        hint: `See its tags with \`reprise tag ${referenceTo(found)}\`; nothing was changed.`,
      });
    }
    const expected = changed(head);
    const isChange =
      expected.pinned !== (head.pinned ?? false) ||
      expected.tags.join("\n") !== (head.tags ?? []).join("\n");
    const ref = referenceTo(found);
    const isAsked =
      args.length === 1 && !["remove", "pin", "unpin"].some((name) => flags.isSet(name));
    let entry: number | undefined;
    let facts = expected;
    if (isChange && isNative(found)) {
      const session = openNative(found, context);
      // What others changed since the session was found is kept.
      const written = session.setMeta((known) => {
        facts = changed(known);
        return facts;
      });
      await written.finally(() => session.close());
    } else if (isChange) {
      entry = markSession(homeOf(context), head, (known) => {
        facts = changed({ ...head, ...known });
        return facts;
      });
    }
    if (context.json) {
      await context.out.writeJson({ ref, ...facts, ...(entry !== undefined && { entry }) });
      return;
    }
    await context.out.write(answer(ref, facts, isAsked));
    const [first] = added;
    if (first !== undefined)
      context.out.note(`List them with \`reprise list --tag ${safeLine(first)}\`.`);
  },
};

/** What this command changes. */
interface Facts {
  readonly tags?: readonly string[];
  readonly pinned?: boolean;
}

/** The tags alone for who asks for them; after a change, what the session has now. */
function answer(ref: string, { tags, pinned }: Required<Facts>, isAsked: boolean): string {
  if (isAsked) return tags.map((name) => `${safeLine(name)}\n`).join("");
  const names = tags.length === 0 ? "no tags" : `the tags ${safeLine(tags.join(", "))}`;
  const has = tags.length === 1 ? `the tag ${safeLine(tags[0]!)}` : names;
  return `${safeLine(ref)} has ${has}${pinned ? " and is pinned" : ""}.\n`;
}

function checkedTag(name: string): string {
  if (name.length <= limits.tagChars && /^[^\s\u0000-\u001f\u007f-\u009f]+$/.test(name))
    return name;
  throw new RepriseError("usage", `Not a tag: ${JSON.stringify(name)}.`, {
    hint: `A tag is one word of at most ${limits.tagChars} characters.`,
  });
}
