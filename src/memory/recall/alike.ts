import { stem } from "../../catalog/query/stem.ts";
import { categories } from "./categories.ts";

/*
 * Words that developers use for the same thing. A memory is one short sentence: asked for in other words it shares none
 * with the question. Sessions say a thing in many ways and need no such list.
 */

const groups = [
  "auth authentication login signin credential",
  "begin start launch run execute boot",
  "branch trunk main master",
  "again retry attempt try",
  "break fail failure crash error bug issue problem broken wrong",
  "build compile bundle",
  "cache caching memoize",
  "change edit modify update alter",
  "check verify validate lint",
  "choose chose decide decision pick select settle settled",
  "ci pipeline workflow actions",
  "client frontend ui",
  "code source implementation",
  "colour color theme",
  "command script cli",
  "config configuration setting option preference",
  "container docker image",
  "create add make generate new",
  "db database sql store storage persistence",
  "delete remove drop erase",
  "dependency package library module",
  "deploy deployment release ship publish rollout",
  "dev development local",
  "directory folder path location",
  "docs documentation readme manual guide",
  "doc comment",
  "email mail",
  "endpoint url address host route",
  "env environment variable",
  "fast quick speed performance latency",
  "fix repair solve mend",
  "commit push merge",
  "format formatter style prettier indentation indent tab space",
  "framework library tool",
  "function method",
  "git vcs repo repository",
  "hate dislike avoid never",
  "language lang",
  "like prefer favourite favorite want love",
  "log logging trace",
  "machine server host backend",
  "meeting call standup",
  "message notification",
  "migrate migration upgrade",
  "name called title",
  "npm pnpm yarn bun",
  "owner maintainer responsible team",
  "password secret token key credential",
  "person user customer",
  "port listen socket",
  "production prod live",
  "reason why because rationale",
  "review approve approval merge pr",
  "rule convention guideline policy standard",
  "schedule deadline date due when",
  "spec test testing suite vitest jest pytest",
  "staging stage preview",
  "stop quit end kill",
  "type typescript types typed",
  "version release tag",
  "web browser site website page",
].map((line) => [...new Set(line.split(" ").map(stem))]);

const byWord = new Map<string, ReadonlySet<string>>();
for (const group of groups)
  for (const word of group) byWord.set(word, new Set([...(byWord.get(word) ?? []), ...group]));

const shortestBeginning = 4;
/** What another word for the same thing counts. */
const alikeShare = 0.8;

/**
 * Which part of the words that were asked for a text has, all without their endings: a word itself counts wholly, one that
 * means about the same or a member of the category that was asked for counts less.
 */
export function sharedPart(asked: ReadonlySet<string>, words: ReadonlySet<string>): number {
  if (asked.size === 0) return 0;
  const ofMembers = namesAnswered(asked, words);
  const shares = [...asked].map((word) => {
    const share = sharesWord(word, words);
    return share === 0 && ofMembers.has(word) ? alikeShare : share;
  });
  return shares.reduce((sum, share) => sum + share, 0) / asked.size;
}

const known = categories.map(({ names, members }) => ({
  names: stemLists(names),
  members: stemLists(members),
}));

/** The words of those names of categories of which a text has a member. */
function namesAnswered(
  asked: ReadonlySet<string>,
  words: ReadonlySet<string>,
): ReadonlySet<string> {
  const isIn = (all: ReadonlySet<string>) => (list: readonly string[]) =>
    list.every((word) => all.has(word));
  const answered = known.flatMap(({ names, members }) => {
    const named = names.filter(isIn(asked));
    return named.length > 0 && members.some(isIn(words)) ? named.flat() : [];
  });
  return new Set(answered);
}

function stemLists(list: string): readonly (readonly string[])[] {
  return list.split(", ").map((words) => words.split(" ").map(stem));
}

function sharesWord(asked: string, words: ReadonlySet<string>): number {
  if (words.has(asked)) return 1;
  const alike = byWord.get(asked);
  for (const word of words)
    if (alike?.has(word) === true || isLonger(asked, word) || isLonger(word, asked))
      return alikeShare;
  return 0;
}

/** Whether a word goes on from another, as `deployment` from `deploy`. */
function isLonger(word: string, beginning: string): boolean {
  return beginning.length >= shortestBeginning && word.startsWith(beginning);
}
