import { stem } from "../../catalog/query/stem.ts";

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

/** How well words without their endings have one that was asked for: 1 for itself, less for one that means about the same. */
export function sharesWord(asked: string, words: ReadonlySet<string>): number {
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
