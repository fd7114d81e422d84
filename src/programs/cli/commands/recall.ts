import { isRepriseError, RepriseError } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { checkAgents } from "../../../catalog/query/library.ts";
import { openRecall, type Recalled } from "../../../memory/recall/recall.ts";
import { memoriesElsewhere } from "../memory/elsewhere.ts";
import { inProject } from "../memory/project.ts";
import { recalledText } from "../memory/recalled-text.ts";
import { partAnswered, shortAnswers, withFewTurns } from "../memory/short-answers.ts";
import { memoryOptions } from "../memory/wanted.ts";
import { requestFrom, searchOptions } from "../reports/search-run.ts";
import type { Command, CommandContext, Invocation } from "../run/command.ts";
import { foundNothing } from "../run/nothing-found.ts";
import { indexProgress } from "../terminal/index-progress.ts";

/** `reprise recall`: what memories and sessions say about a question. */
export const recallCommand: Command = {
  name: "recall",
  summary: "answer a question from memories and all sessions, with evidence",
  details: `Every answer is a memory or a turn of a session, with its reference: the sentences that have most words of the question,
or with --tokens and --json more of the text. After a memory that answers only the two best turns follow, unless --limit is
given. If a newer statement contradicts an older one,
both are shown, the newer first. A memory whose file or commit has changed is marked stale. Every word of the question is
plain text, not an operator. No model is used. Sessions of all projects answer; what was said in this project counts more. Of
memories only those of this project and those kept for every project answer, unless --all or --project is given.`,
  args: [{ name: "<question...>", says: "what you want to know" }],
  withoutAgents: true,
  flags: [
    {
      flags: "--tokens <count>",
      says: `limit the answer to this many tokens (default ${limits.recallTokens})`,
      kind: "count",
    },
    {
      flags: "-n, --limit <count>",
      says: `maximum answers (default ${limits.shownAnswers}; with --tokens or --json, what fits)`,
      kind: "count",
    },
    { flags: "--memories", says: "only memories", kind: "switch" },
    { flags: "--sessions", says: "only sessions", kind: "switch" },
    { flags: "--here", says: "only sessions of this project", kind: "switch" },
    { flags: "--agent <name>", says: "only this agent's sessions", kind: "text" },
    {
      flags: "--project <words>",
      says: "only this project, by a part of its name or path: its sessions and memories",
      kind: "text",
    },
    { flags: "--role <role>", says: "only what this role said", kind: "text" },
    { flags: "--since <time>", says: "said since: 2026-11-01, yesterday, 3d", kind: "text" },
    { flags: "--until <time>", says: "said until; a day, week or month is included", kind: "text" },
    { flags: "--all", says: "the memories of all projects too", kind: "switch" },
    { flags: "--user", says: "only memories that are kept for every project", kind: "switch" },
    { flags: "--namespace <name>", says: "use the memories of another namespace", kind: "text" },
    { flags: "--owner <name>", says: "act as this owner", kind: "text" },
  ],
  examples: [
    { line: "reprise recall which port does the server use", says: "what is known about it" },
    { line: "reprise recall --here --tokens 500 why sqlite", says: "short, of this project" },
  ],
  json: `{ question: string, tokens: number, budgetTokens: number, leftOut: number, notes: string[],
  answers: ({ kind: "turn", ref: string, agent: string, session: string, number: string, role: string, at?: string,
      title?: string, cwd?: string, text: string, isCut: boolean, score: number, newer: Counterpart[], older: Counterpart[] }
    | RecalledEntry)[], besides: RecalledEntry[] }
RecalledEntry = { kind: "entry", ref: string, key: string, type: string, namespace: string, owner: string,
  provenance: string, at: string, text: string, isCut: boolean, score: number, evidence: object[], isStale: boolean,
  newer: Counterpart[], older: Counterpart[] }
Counterpart = { ref: string, at?: string, why: "update" | "contradiction" }`,
  run: async (invocation, context) => {
    const { args, flags } = invocation;
    if (flags.isSet("memories") && flags.isSet("sessions"))
      throw new RepriseError("usage", "--memories and --sessions exclude each other.");
    const { filters = [] } = requestFrom(invocation);
    checkAgents({ text: "question", filters });
    const within = await memoriesIn(invocation, context);
    const progress = indexProgress(context);
    const { freshenMs: _whole, ...options } = searchOptions(context);
    const open = await openRecall({
      ...options,
      ...memoryOptions(invocation, within ?? context),
      onProgress: progress.tell,
    }).finally(progress.end);
    try {
      const budgetTokens = flags.number("tokens");
      const isShort = !context.json && budgetTokens === undefined;
      const limit = flags.number("limit") ?? (isShort ? limits.shownAnswers : undefined);
      const { freshness: _fresh, ...recalled } = await open.ask(args.join(" "), {
        filters,
        ...(limit !== undefined && { limit }),
        ...(budgetTokens !== undefined && { budgetTokens }),
        ...(flags.isSet("memories") && { from: "memories" }),
        ...((flags.isSet("sessions") || within === undefined) && { from: "sessions" }),
      });
      if (recalled.answers.length === 0 && recalled.besides.length === 0) foundNothing();
      if (context.json) return context.out.writeJson(recalled);
      const few =
        isShort && flags.number("limit") === undefined ? withFewTurns(recalled) : recalled;
      const shown = isShort ? shortAnswers(few) : few;
      const isLimited = recalled.answers.length === limit || few !== recalled;
      const lead = missText(recalled, flags.isSet("sessions"));
      await context.out.write(`${lead}${recalledText(shown, { ...context, isLimited })}`);
      for (const note of recalled.notes) context.out.note(note);
      const isMissed = !recalled.answers.some(({ kind }) => kind === "entry");
      if (isMissed && asksOneProject(invocation)) await noteOthers(invocation, context);
    } finally {
      open.close();
    }
  },
};

/** A turn that has no more of a question's words may have them by chance. */
const chancePart = 0.5;

/** That no memory answers, and that what was said in sessions may not either. */
function missText(recalled: Recalled, isOfSessions: boolean): string {
  const { answers, besides } = recalled;
  if (answers.length === 0 || answers.some(({ kind }) => kind === "entry")) return "";
  const isWeak = partAnswered(recalled) <= chancePart;
  const sentences = [
    ...(isOfSessions || besides.length > 0 ? [] : ["No memory answers this."]),
    ...(isWeak ? ["What was said in sessions has few of these words."] : []),
  ];
  return sentences.length === 0 ? "" : `${sentences.join(" ")}\n\n`;
}

function asksOneProject({ flags }: Invocation): boolean {
  const isChosen = ["all", "user", "sessions"].some((name) => flags.isSet(name));
  return !isChosen && ["project", "namespace"].every((name) => flags.text(name) === undefined);
}

/** Where no memory answered, says that other projects have some, which were not asked. */
async function noteOthers(invocation: Invocation, context: CommandContext): Promise<void> {
  const others = await memoriesElsewhere(invocation, context);
  if (others === 0) return;
  const which = others === 1 ? "1 memory, which was" : `${others} memories, which were`;
  context.out.note(`Other projects have ${which} not searched; --all searches them too.`);
}

/** Where the memories are that answer; undefined if `--project` means sessions of several projects, or of none. */
async function memoriesIn(
  invocation: Invocation,
  context: CommandContext,
): Promise<CommandContext | undefined> {
  const { flags } = invocation;
  if (flags.isSet("user") || flags.text("namespace") !== undefined) return context;
  try {
    return await inProject(invocation, context);
  } catch (error) {
    if (!isRepriseError(error) || flags.isSet("memories")) throw error;
    return undefined;
  }
}
