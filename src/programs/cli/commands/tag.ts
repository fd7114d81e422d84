import { referenceTo } from "../../../agents/reference.ts";
import { RepriseError } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { markSession } from "../../../store/mark-session.ts";
import type { Command, FlagValues } from "../run/command.ts";
import { sessionInFirstWord, type WordsBehind } from "../sessions/first-word.ts";
import { homeOf, isNative, openNative } from "../sessions/native.ts";
import { safeLine, safeText } from "../terminal/terminal-text.ts";

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
    const found = sessionInFirstWord(args, tagsBehind(flags), context);
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
    const text = isAsked ? facts.tags.join("\n") : changeText(ref, facts, changeOf(head, facts));
    if (text !== "") await context.out.write(`${safeText(text)}\n`);
    const beside = isAsked ? besideTags(facts) : "";
    if (beside !== "") context.out.note(beside);
    const [first] = added;
    if (first !== undefined)
      context.out.note(`List them with \`reprise list --tag ${safeLine(first)}\`.`);
  },
};

/** What the names of its tags do not say of a session; empty where there is nothing. */
function besideTags({ tags, pinned }: Required<Facts>): string {
  const said = [
    ...(tags.length === 0 ? ["It has no tags."] : []),
    ...(pinned ? ["It is pinned."] : []),
  ];
  return said.join(" ");
}

/** What this command changes. */
interface Facts {
  readonly tags?: readonly string[];
  readonly pinned?: boolean;
}

/** What of a session became different. */
interface Change {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** It was pinned or unpinned. */
  readonly pins: boolean;
}

function changeOf(before: Facts, { tags, pinned }: Required<Facts>): Change {
  const known = before.tags ?? [];
  return {
    added: tags.filter((name) => !known.includes(name)),
    removed: known.filter((name) => !tags.includes(name)),
    pins: pinned !== (before.pinned ?? false),
  };
}

/** What was done, and the tags there are beside those that were added; where nothing was done, what the session has. */
function changeText(ref: string, { tags, pinned }: Required<Facts>, change: Change): string {
  const { added, removed, pins } = change;
  const names = tags.length === 0 ? "no tags" : `the ${tagWord(tags)} ${tags.join(", ")}`;
  const done = [
    ...(added.length > 0 ? [(it: string) => `Tagged ${it} with ${added.join(", ")}.`] : []),
    ...(removed.length > 0
      ? [(it: string) => `Removed the ${tagWord(removed)} ${removed.join(", ")} from ${it}.`]
      : []),
    ...(pins ? [(it: string) => `${pinned ? "Pinned" : "Unpinned"} ${it}.`] : []),
  ];
  if (done.length === 0)
    return `Nothing to change: ${ref} has ${names} and is ${pinned ? "" : "not "}pinned.`;
  const said = done.map((say, at) => say(at === 0 ? ref : "it"));
  return [...said, ...(tags.length > added.length ? [`It has ${names}.`] : [])].join(" ");
}

function tagWord(tags: readonly string[]): string {
  return tags.length === 1 ? "tag" : "tags";
}

/** How the command is typed for another reference. */
function tagsBehind(flags: FlagValues): WordsBehind {
  const pins = ["pin", "unpin"].filter((name) => flags.isSet(name)).map((name) => `--${name}`);
  const given = [...flags.texts("remove").map((name) => `--remove ${name}`), ...pins];
  return {
    least: 0,
    line: (reference, words) => ["reprise tag", reference, ...words, ...given].join(" "),
  };
}

function checkedTag(name: string): string {
  if (name.length <= limits.tagChars && /^[^\s\u0000-\u001f\u007f-\u009f]+$/.test(name))
    return name;
  throw new RepriseError("usage", `Not a tag: ${JSON.stringify(name)}.`, {
    hint: `A tag is one word of at most ${limits.tagChars} characters.`,
  });
}
