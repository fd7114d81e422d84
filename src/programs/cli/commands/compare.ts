import { resolve } from "node:path";
import { type NamedSession, referenceTo, resolveReference } from "../../../agents/reference.ts";
import { RepriseError } from "../../../base/errors.ts";
import { dialectsOf } from "../../../catalog/blame/call-acts.ts";
import { type ComparedSource, compareBranches } from "../../../catalog/compare/compare.ts";
import { eventsFrom, type LaterStart, laterStart } from "../../../catalog/compare/later-start.ts";
import { pathEvents } from "../../../catalog/compare/path-events.ts";
import { pricesFor } from "../../../catalog/usage/price-file.ts";
import type { Found } from "../../../redact/mask.ts";
import { writePieces } from "../../../store/output-file.ts";
import { compareHtml, compareMarkdown } from "../render/compare-document.ts";
import type { ShownComparison } from "../render/compare-figures.ts";
import { compareText } from "../render/compare-text.ts";
import { toolSubject } from "../render/tool-header.ts";
import type { Command, CommandContext, Invocation } from "../run/command.ts";
import { homeOf } from "../sessions/native.ts";
import { maskedSentence, maskSession } from "../share/masking.ts";
import { refuseSealed, unsealFlag } from "../share/unseal.ts";
import { printPaged } from "../terminal/pager.ts";
import { withProgress } from "../terminal/progress.ts";
import { jsonLine } from "../terminal/terminal-text.ts";

const formats = ["text", "md", "html", "json"] as const;

type Format = (typeof formats)[number];

/** `reprise compare`: two branches or sessions side by side, from the event on where they differ. */
export const compare: Command = {
  name: "compare",
  summary: "compare two branches or sessions from where they differ",
  details: `The part both begin with is skipped, even if two agents wrote it; of a shortened copy, the part that it begins with
after its summary. Then prompts, answers, calls, files, tokens and
cost are shown side by side. ref@57 is the branch that ends at event 57, including abandoned ones; what
was compacted is a part of it. Of two that have nothing in common text has only the figures. md and html mask secrets; json is exact.`,
  args: [
    { name: "<a>", says: "a session, or a branch of one: ref@57" },
    { name: "<b>", says: "the other one" },
  ],
  flags: [
    {
      flags: "-f, --format <format>",
      says: "text (default), md, html, json",
      kind: "text",
      choices: formats,
    },
    { flags: "-o, --output <file>", says: "write to this file instead", kind: "text" },
    { flags: "--yes", says: "overwrite the file if it exists", kind: "switch" },
    unsealFlag,
  ],
  examples: [
    {
      line: "reprise compare 3f9a codex:01a1e08b",
      says: "a session and its fork in another agent",
    },
    { line: "reprise compare 3f9a@57 3f9a", says: "an abandoned branch and what replaced it" },
    {
      line: "reprise compare 3f9a 77b2 --format html -o compare.html",
      says: "one self-contained page",
    },
  ],
  json: `{ common: { shared: number, last?: [string, string], prompt?: string },
  later?: { side: "a" | "b", from: [string, string], hasSummary: boolean }, a: Side, b: Side }
type Side = { ref: string, title?: string, agent: string, models: string[], events: number, prompts: number,
  answers: number, calls: number, failed: number, unanswered: number, tools: Record<string, number>,
  files: { path: string, action: string, added: number, removed: number, events: string[] }[],
  tokens: { input: number, output: number, cacheRead: number, cacheWrite: number, total: number },
  costUsd?: number, durationMs?: number, more: number,
  turns: { event?: string, at?: string, prompt: string, answer: string,
    calls: { event: string, name: string, subject: string, failed?: true, unanswered?: true }[] }[] }
With --output: { written: string, sizeBytes: number, format: string, masked: { rule: string, count: number }[] }`,
  changes: ({ flags }) => flags.isSet("output"),
  run: async (invocation, context) => {
    const format = formatFrom(invocation, context);
    const [one = "", two = ""] = invocation.args;
    const branches = [resolveReference(one, context), resolveReference(two, context)] as const;
    const file = invocation.flags.text("output");
    if (file !== undefined) for (const { head } of branches) refuseSealed(head, invocation);
    const isMasked = format === "md" || format === "html";
    const { shown, masked } = await compared(branches, isMasked, context);
    const text = rendered(shown, format, { ...context, isFile: file !== undefined });
    const report = isMasked ? maskedSentence(masked) : "Exact: secrets are not masked.";
    if (file === undefined) {
      await (format === "text" ? printPaged([text], context) : context.out.write(text));
      if (!context.json && format !== "text") context.out.note(report);
      return;
    }
    const path = resolve(context.folder, file);
    const overwrite = invocation.flags.isSet("yes");
    const sizeBytes = await writePieces(path, [text], { overwrite, home: homeOf(context) });
    if (context.json) await context.out.writeJson({ written: path, sizeBytes, format, masked });
    else context.out.note(`Written to ${file}. ${report}`);
  },
};

interface Compared {
  readonly shown: ShownComparison;
  readonly masked: readonly Found[];
}

type Branches = readonly [NamedSession, NamedSession];

/** Compares from the beginning of both; if they have none in common, from where one has what the other begins with. */
async function compared(
  branches: Branches,
  isMasked: boolean,
  context: CommandContext,
): Promise<Compared> {
  const [one, two] = branches;
  const found = await comparedFrom(branches, { isMasked }, context);
  if (found.shown.common.last !== undefined) return found;
  const reads = [() => pathEvents(one), () => pathEvents(two)] as const;
  const later = await laterStart(reads, dialectsOf(context.agents));
  return later === undefined ? found : comparedFrom(branches, { isMasked, later }, context);
}

async function comparedFrom(
  branches: Branches,
  { isMasked, later }: { readonly isMasked: boolean; readonly later?: LaterStart },
  context: CommandContext,
): Promise<Compared> {
  const masking = isMasked ? maskSession() : undefined;
  const heads = [branches[0].head, branches[1].head] as [
    ShownComparison["heads"][0],
    ShownComparison["heads"][1],
  ];
  const sources: ComparedSource[] = [];
  for (const [at, branch] of branches.entries()) {
    const told = withProgress(pathEvents(branch), context, { verb: "Reading", toFile: true });
    // A title may be what was said first: all of it is masked.
    const outgoing = masking && (await masking.session({ head: branch.head, events: told }));
    if (outgoing !== undefined) heads[at] = outgoing.head;
    const all = outgoing?.events ?? told;
    const events = later === undefined ? all : eventsFrom(all, later.from[at]!);
    sources.push({ events, cwd: branch.head.cwd });
  }
  const comparison = await compareBranches([sources[0]!, sources[1]!], {
    dialects: dialectsOf(context.agents),
    prices: pricesFor(homeOf(context)),
    subjectOf: toolSubject,
  });
  const refs = branches.map((branch) => {
    const ref = referenceTo(branch);
    return branch.event === undefined ? ref : `${ref}@${branch.event}`;
  });
  return {
    shown: { ...comparison, ...(later && { later }), heads, refs: [refs[0]!, refs[1]!] },
    masked: masking?.found() ?? [],
  };
}

function formatFrom({ flags }: Invocation, context: CommandContext): Format {
  const given = flags.text("format") as Format | undefined;
  if (given === "text" && context.json) {
    throw new RepriseError("usage", "--json and --format text exclude each other.");
  }
  const isFile = flags.text("output") !== undefined;
  if (isFile && given === undefined) return "md";
  return context.json && !isFile ? "json" : (given ?? "text");
}

function rendered(
  shown: ShownComparison,
  format: Format,
  context: CommandContext & { readonly isFile: boolean },
): string {
  switch (format) {
    case "text":
      return compareText(shown, {
        colours: context.colours,
        out: context.isFile ? { isTerminal: false, columns: 0 } : context.out,
      });
    case "md":
      return compareMarkdown(shown);
    case "html":
      return compareHtml(shown);
    case "json":
      return `${jsonLine(compareJson(shown))}\n`;
  }
}

function compareJson({ common, later, sides, refs, heads }: ShownComparison): object {
  const side = (at: 0 | 1): object => {
    const { title, agent } = heads[at];
    return { ref: refs[at], title, agent, ...sides[at] };
  };
  const { side: which, ...begun } = later ?? {};
  const start = later && { later: { ...begun, side: which === 0 ? "a" : "b" } };
  return { common, ...start, a: side(0), b: side(1) };
}
