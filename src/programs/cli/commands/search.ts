import { limits } from "../../../base/limits.ts";
import { orders } from "../../../catalog/query/order.ts";
import { queryOf, runSearch } from "../reports/search-run.ts";
import type { Command } from "../run/command.ts";
import { isScreen } from "../terminal/output.ts";

/** `reprise search`: finds anything in every session at once. */
export const search: Command = {
  name: "search",
  summary: "search every session at once",
  details: `The best matches come first. Write a sentence: not every word must occur. "a phrase" must occur; begin*, -not and
a OR b work, and so do filters: agent: session: project: here: role: tool: file: branch: model: author: since: until: tag: is:error
is:injected has:image. The index is updated first, and what it does not have yet is read, so the answer is complete. Word
search covers the first and last 2 KB of a tool's output; --deep, --substring and --regex read everything, newest sessions
first. --sort newest or oldest goes by the time of what is found, and takes places that have every word if there are
any. Text that programs put into a session is left out unless is:injected asks for it. Without words, on a terminal, the
home screen opens and searches as you type.`,
  args: [{ name: "[words...]", says: "what to look for" }],
  dashedWords: true,
  // They are loaded only to read what the index does not have yet.
  withoutAgents: true,
  flags: [
    { flags: "--deep", says: "search all text, by reading the sessions", kind: "switch" },
    { flags: "--substring", says: "search for this exact text", kind: "switch" },
    { flags: "--regex", says: "search for a JavaScript regular expression", kind: "switch" },
    { flags: "--case", says: "with --substring, --regex: match case", kind: "switch" },
    { flags: "--agent <name>", says: "only this agent's sessions", kind: "text" },
    { flags: "--session <id>", says: "only this session: its id or the beginning", kind: "text" },
    { flags: "--project <words>", says: "only projects whose name or path has this", kind: "text" },
    { flags: "--here", says: "only the project of the current folder", kind: "switch" },
    { flags: "--since <time>", says: "said since: 2026-11-01, yesterday, 3d", kind: "text" },
    { flags: "--until <time>", says: "said until; a day, week or month is included", kind: "text" },
    { flags: "--branch <name>", says: "only this git branch", kind: "text" },
    { flags: "--model <words>", says: "only models whose name has this", kind: "text" },
    { flags: "--author <words>", says: "only this author", kind: "text" },
    { flags: "--tag <tag>", says: "only sessions with this tag", kind: "text" },
    {
      flags: "--role <role>",
      says: "only what this role said: user, assistant, tool (call and result), call, result",
      kind: "text",
    },
    {
      flags: "--tool <name>",
      says: "only this tool; bash, read, edit, write: of every agent",
      kind: "text",
    },
    {
      flags: "--file <path>",
      says: "only sessions whose calls work on this file; without words, its calls",
      kind: "text",
    },
    {
      flags: "-n, --limit <count>",
      says: `maximum sessions, 0 for all (default ${limits.foundSessions})`,
      kind: "count",
    },
    {
      flags: "--events <count>",
      says: `maximum events of each session (default ${limits.foundEvents})`,
      kind: "count",
    },
    {
      flags: "--sort <order>",
      says: "best (default), newest or oldest first: by when the words were said",
      kind: "text",
      choices: orders,
    },
    { flags: "--explain", says: "print what each score is made of", kind: "switch" },
    {
      flags: "--tokens <count>",
      says: "limit the answer to this many tokens, for a model",
      kind: "count",
    },
  ],
  examples: [
    { line: "reprise search rate limit", says: "the best matches first" },
    { line: "reprise search rate limit --sort oldest", says: "where it was first said" },
    {
      line: "reprise search '\"rate limit\"'",
      says: "exactly this phrase; the shell takes one pair of quotes",
    },
    {
      line: "reprise search '\"connection reset\" -test agent:codex since:7d'",
      says: "a phrase, without a word, of one agent's week",
    },
    {
      line: "reprise search --substring 'foo(bar' --here",
      says: "a text as it is, in this project",
    },
    {
      line: "reprise search is:error tool:bash --json | jq -r '.sessions[].ref'",
      says: "for a script",
    },
  ],
  json: `{ total: number, more: boolean, sort: string, newestFirst: boolean, haveAll?: number,
  leftOut?: number, instead: { typed: string, used: string }[],
  otherTime?: { ref: string, at: string },
  sessions: { ref: string, agent: string, session: string, path: string, title?: string, cwd?: string,
    updatedAt: string, gone: boolean, total: number, prompts: number, prompt?: string,
    score?: { total: number, best: number, whole: number, recent: number },
    events: { number: string, ref: string, kind: string, at?: string, snippet?: string, call?: string,
      marks: [number, number][], score?: { total: number, words: { [word: string]: number },
      beside: number, session: number } }[] }[],
  freshness: { sessions: number, subagents: number, indexed: number, streamed: number, sealed: number,
    gone: number },
  notes: string[] }
more: there are more than \`total\` says; -n 0 counts all
haveAll: sessions that have every word, of several; leftOut: sessions that have only some, which --sort leaves out`,
  run: async (invocation, context) => {
    const isAsked = invocation.args.length > 0 || context.json;
    if (!isAsked && isScreen(0) && isScreen(1)) {
      const { everyAgent } = await import("../../../agents/user-agents.ts");
      const { openHome } = await import("../home/open.ts");
      const agents = await everyAgent(context.out.note);
      const { flags } = invocation;
      const filter = flags.isSet("here") ? { here: context.env.cwd } : {};
      const query = queryOf(invocation);
      return openHome(invocation, { ...context, agents }, { verb: "show", filter, query });
    }
    return runSearch(invocation, context);
  },
};
