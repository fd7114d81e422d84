import { RepriseError } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { nearName } from "../../../base/near-name.ts";
import type { Finder, Wanted } from "../../../catalog/query/finder.ts";
import { checkAgents, openFinder, type SearchOptions } from "../../../catalog/query/library.ts";
import type { Order } from "../../../catalog/query/order.ts";
import {
  type Filter,
  type FilterKey,
  filterKeys,
  problemOf,
} from "../../../catalog/query/query.ts";
import type { SearchRequest } from "../../../catalog/query/request.ts";
import { type FoundOptions, foundJson, foundText, sessionsText } from "../render/found.ts";
import { withinTokens } from "../render/found-budget.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { limitFrom } from "../run/limit.ts";
import { foundNothing } from "../run/nothing-found.ts";
import { type IndexProgress, indexProgress } from "../terminal/index-progress.ts";

/** What of a command's context a search needs; the agents themselves are loaded only to read. */
export type SearchContext = Omit<CommandContext, "agents" | "folder" | "sample" | "bare">;

/** How a search works that a person may wait for. */
export function searchOptions({ env, nowMs, out }: SearchContext): SearchOptions {
  return { env, nowMs, onNote: out.note, ...(out.isTerminal && { freshenMs: limits.freshenMs }) };
}

/** Searches and prints what was found. */
export async function runSearch(invocation: Invocation, context: SearchContext): Promise<void> {
  const request = requestFrom(invocation);
  checkAgents(request);
  const { flags } = invocation;
  const wanted = {
    sessions: limitFrom(flags, limits.foundSessions),
    events: flags.number("events") ?? limits.foundEvents,
    order: (flags.text("sort") ?? "best") as Order,
  };
  const progress = indexProgress(context);
  const options = { ...searchOptions(context), onProgress: progress.tell };
  const finder = await openFinder(options).finally(progress.end);
  try {
    const print = context.json ? foundJson : foundText;
    const how = { ...context, request, explain: flags.isSet("explain") };
    if (context.out.isTerminal && request.mode === "words") {
      await finishIndex(finder, { ...how, progress, wanted });
    }
    const all = await finder.search(request, wanted);
    const tokens = flags.number("tokens");
    const found = tokens === undefined ? all : withinTokens(all, { tokens, print, options: how });
    await context.out.write(print(found, how));
    if (!context.json) for (const note of found.notes) context.out.note(note);
    const phrase = phraseMeant(invocation, request);
    if (!context.json && phrase !== undefined)
      context.out.note(`For exactly this phrase: reprise search '"${phrase}"'`);
    const misspelt = misspeltFilter(invocation, request);
    if (!context.json && misspelt !== undefined) context.out.note(misspelt);
    if (found.totalSessions === 0) foundNothing();
  } finally {
    finder.close();
  }
}

/** A few plain words in one argument: they stood in quotes, which the shell took away, and may be meant as a phrase. */
function phraseMeant({ args }: Invocation, { mode }: SearchRequest): string | undefined {
  const [only, ...others] = args;
  if (only === undefined || others.length > 0 || mode !== "words") return undefined;
  return /^[\p{L}\p{N}]+(?: [\p{L}\p{N}]+){1,3}$/u.test(only) ? only : undefined;
}

/** Says which filter was probably meant by words such as `sesion:3f9a`, which were searched as they are. */
function misspeltFilter({ args }: Invocation, { mode }: SearchRequest): string | undefined {
  if (mode !== "words") return undefined;
  for (const word of args.join(" ").split(/\s+/)) {
    const key = /^-?([a-z]{2,}):[^/:"]/.exec(word)?.[1];
    const isOther = key !== undefined && !(filterKeys as readonly string[]).includes(key);
    const near = isOther ? nearName(key, filterKeys) : undefined;
    if (near !== undefined) return `${key}: was searched as a word. Did you mean ${near}:?`;
  }
  return undefined;
}

/** Where the index takes longer than people wait for an answer, they see what was found so far, and how long it takes. */
async function finishIndex(
  finder: Finder,
  options: FoundOptions & {
    readonly out: SearchContext["out"];
    readonly progress: IndexProgress;
    readonly wanted: Wanted;
  },
): Promise<void> {
  const { request, wanted, progress, out } = options;
  // The newest sessions are read first: they say nothing of what is oldest.
  if (finder.pending === 0 || wanted.order === "oldest") return;
  const soFar = await finder.search(request, { ...wanted, soFar: true });
  if (soFar.sessions.length > 0) {
    const sessions = soFar.sessions.slice(0, shownSoFar);
    out.note(`So far, in the newest sessions:\n\n${sessionsText({ ...soFar, sessions }, options)}`);
  }
  await finder.goOn({ onProgress: progress.tell }).finally(progress.end);
}

/** Sessions that are shown while the rest is being read. */
const shownSoFar = 3;

const filterFlagNames: readonly FilterKey[] = [
  "agent",
  "session",
  "project",
  "since",
  "until",
  "branch",
  "model",
  "author",
  "tag",
  "role",
  "tool",
  "file",
];

/** The filters of a command line as people type them in a query; empty where there are none. */
export function queryOf({ flags }: Invocation): string {
  const filters = filterFlagNames.flatMap((key) => {
    const value = flags.text(key);
    return value === undefined
      ? []
      : [`${key}:${/\s/.test(value) ? JSON.stringify(value) : value} `];
  });
  return filters.join("");
}

/** The request a command line makes. */
export function requestFrom({ args, flags }: Invocation): SearchRequest {
  const modes = (["deep", "substring", "regex"] as const).filter((name) => flags.isSet(name));
  if (modes.length > 1) {
    throw new RepriseError("usage", `--${modes[0]} and --${modes[1]} exclude each other.`);
  }
  const filters: Filter[] = filterFlagNames.flatMap((key) => {
    const value = flags.text(key);
    if (value === undefined) return [];
    // What the text of a query may not ask for, a flag may not either: it would find nothing and not say why.
    const why = problemOf(key, value);
    if (why !== undefined) {
      const hint = "See `reprise search --help`.";
      throw new RepriseError("usage", `--${key} ${why}.`, { hint });
    }
    return [{ key, value, not: false }];
  });
  if (flags.isSet("here")) filters.push({ key: "here", value: "", not: false });
  return {
    text: args.join(" "),
    mode: modes[0] ?? "words",
    caseSensitive: flags.isSet("case"),
    filters,
  };
}
