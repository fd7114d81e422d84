import { agentNames, loadAgent } from "../../../agents/registry.ts";
import { RepriseError } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { threadFile } from "../../../base/thread-file.ts";
import { Finder, type FinderOptions } from "../../../catalog/query/finder.ts";
import { type Filter, type FilterKey, problemOf } from "../../../catalog/query/query.ts";
import { type SearchRequest, understand } from "../../../catalog/query/request.ts";
import { foundJson, foundText } from "../render/found.ts";
import { withinTokens } from "../render/found-budget.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { everyAgent, settingsFile } from "../run/every-agent.ts";
import { knownAgent } from "../run/known-agent.ts";
import { limitFrom } from "../run/limit.ts";
import { indexProgress } from "../terminal/index-progress.ts";

/** What of a command's context a search needs; the agents themselves are loaded only to read. */
export type SearchContext = Omit<CommandContext, "agents" | "folder" | "sample" | "bare">;

/** How a search on this machine works. */
export function finderOptions(context: SearchContext): FinderOptions {
  // The thread that looks through bytes lies beside the program.
  const worker = threadFile(import.meta.dirname, "scan");
  return {
    env: context.env,
    code: [import.meta.dirname, settingsFile(context.env)],
    agents: () => everyAgent(context.out.note),
    agent: loadAgent,
    nowMs: context.nowMs,
    ...(worker !== undefined && { worker }),
    ...(context.out.isTerminal && { deadlineMs: performance.now() + limits.freshenMs }),
  };
}

/** Searches and prints what was found. */
export async function runSearch(invocation: Invocation, context: SearchContext): Promise<void> {
  const request = requestFrom(invocation);
  checkAgents(request);
  const { flags } = invocation;
  const wanted = {
    sessions: limitFrom(flags, limits.foundSessions),
    events: flags.number("events") ?? limits.foundEvents,
  };
  const progress = indexProgress(context);
  const options = { ...finderOptions(context), onProgress: progress.tell };
  const finder = await Finder.open(options).finally(progress.end);
  try {
    const all = await finder.search(request, wanted);
    const tokens = flags.number("tokens");
    const print = context.json ? foundJson : foundText;
    const how = { ...context, request, explain: flags.isSet("explain") };
    const found = tokens === undefined ? all : withinTokens(all, { tokens, print, options: how });
    await context.out.write(print(found, how));
    if (!context.json) for (const note of found.notes) context.out.note(note);
  } finally {
    finder.close();
  }
}

/** A filter takes the beginning of a name; one that begins none finds nothing, and that is said. */
function checkAgents(request: SearchRequest): void {
  const names = agentNames();
  for (const { key, value } of understand(request).query.filters) {
    if (key === "agent" && !names.some((name) => name.startsWith(value))) knownAgent(value, names);
  }
}

const filterFlagNames: readonly FilterKey[] = [
  "agent",
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
