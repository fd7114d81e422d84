import { RepriseError } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { markSession } from "../../../store/marks.ts";
import type { Command } from "../command.ts";
import { homeOf, isNative, openNative } from "../native.ts";
import { referenceTo, resolveReference } from "../reference.ts";

/** `reprise tag`: adds and removes tags, pins and unpins; without any of them it prints the tags. */
export const tag: Command = {
  name: "tag",
  summary: "tag a session, pin it, or see its tags",
  details:
    "Tags of another agent's session are kept in our journal; its file is not touched. A pinned session is never pruned.",
  args: [
    { name: "<ref>", says: "the session" },
    { name: "[tags...]", says: "tags to add" },
  ],
  flags: [
    { flags: "--remove <tag>", says: "a tag to take away; may be given again", kind: "texts" },
    { flags: "--pin", says: "pin it", kind: "switch" },
    { flags: "--unpin", says: "unpin it", kind: "switch" },
  ],
  examples: [
    { line: "reprise tag @last release", says: "then `reprise show release` finds it" },
    { line: "reprise tag 3f9a --remove release --pin", says: "take a tag away and pin" },
  ],
  json: "{ ref: string, tags: string[], pinned: boolean, entry?: number }",
  run: async ({ args, flags }, context) => {
    if (flags.isSet("pin") && flags.isSet("unpin")) {
      throw new RepriseError("usage", "Either --pin or --unpin.");
    }
    const found = resolveReference(args[0] ?? "", context);
    const { tags: before = [], pinned: wasPinned = false } = found.head;
    const added = args.slice(1).map(checkedTag);
    const removed = new Set(flags.texts("remove"));
    const tags = [...new Set([...before, ...added])].filter((name) => !removed.has(name));
    if (tags.length > limits.tags) {
      throw new RepriseError("too_large", `A session has at most ${limits.tags} tags.`);
    }
    const pinned = flags.isSet("pin") || (wasPinned && !flags.isSet("unpin"));
    const isChange = pinned !== wasPinned || tags.join("\n") !== before.join("\n");
    const ref = referenceTo(found);
    const change = { tags, pinned };
    let entry: number | undefined;
    if (isChange && isNative(found)) {
      const session = openNative(found, context);
      await session.setMeta(change).finally(() => session.close());
    } else if (isChange) entry = markSession(homeOf(context), found.head, change);
    if (context.json) {
      await context.out.writeJson({ ref, ...change, ...(entry !== undefined && { entry }) });
    } else await context.out.write(tags.map((name) => `${name}\n`).join(""));
  },
};

function checkedTag(name: string): string {
  if (name.length <= limits.tagChars && /^[^\s\u0000-\u001f\u007f-\u009f]+$/.test(name))
    return name;
  throw new RepriseError("usage", `Not a tag: ${JSON.stringify(name)}.`, {
    hint: `A tag is one word of at most ${limits.tagChars} characters.`,
  });
}
