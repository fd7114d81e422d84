import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { NamedSession } from "../../../agents/reference.ts";
import { errorHints, isRepriseError, RepriseError } from "../../../base/errors.ts";
import {
  allowedWriter,
  type Converted,
  type ConvertReport,
  type ConvertRequest,
  convert,
  planConversion,
} from "../../../convert/convert.ts";
import { mapPath, mappingOf, type PathMapping } from "../../../convert/path-map.ts";
import { conversionRequest, existingFolder } from "../../../convert/request.ts";
import { nameOfHead } from "../../../model/head-name.ts";
import type { CommandContext, FlagSpec, Invocation } from "../run/command.ts";
import { confirmPlan, yesFlag } from "../run/plan.ts";
import { unsealFlag } from "../share/unseal.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { reportText } from "./report-text.ts";

/** Flags of every command that writes a session for another agent. */
export const conversionFlags: readonly FlagSpec[] = [
  {
    flags: "--cwd <folder>",
    says: "folder to continue in (default: the session's own)",
    kind: "text",
  },
  {
    flags: "--map <old=new>",
    says: "map a folder that has another path here; repeat for several",
    kind: "texts",
  },
  {
    flags: "--budget <tokens>",
    says: "keep the newest turns within this budget and summarise the rest",
    kind: "count",
  },
  {
    flags: "--dry-run",
    says: "report what would be carried over and what lost; write nothing",
    kind: "switch",
  },
  {
    flags: "--strict",
    says: "fail if anything would be lost or the budget is exceeded",
    kind: "switch",
  },
  unsealFlag,
  { ...yesFlag, says: "confirm writing for an agent that needs it, such as Amp" },
];

/** The stable shape of a conversion's report. */
export const reportShape = `{ messages: number, losses: { field: string, effect: "dropped" | "rewritten" | "summarised",
  count: number, reason: string }[], unexpected: Loss[], damage?: string,
  overBudget?: { tokens: number, budgetTokens: number },
  size?: { tokens: number, wholeTokens: number, budgetTokens: number, summaryTokens?: number } }`;

/** Says what people must know before a session is written for an agent; throws `needs_yes` where they have not agreed. */
export async function agreeToWrite(
  request: ConvertRequest,
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const { target } = request;
  if (target.warning === undefined) return;
  // Nobody is asked to agree to what is refused anyway.
  await allowedWriter(request);
  const json = { warning: target.warning };
  await confirmPlan({ text: `${target.warning}\n`, json, refused: true }, invocation, context);
}

/** Whether the flags ask for what only a new session can have. */
export function asksForAnother({ flags }: Invocation): boolean {
  return ["cwd", "map", "budget"].some((name) => flags.isSet(name));
}

/** What the flags ask for, in the agent named. */
export function requestFrom(
  session: NamedSession,
  to: string,
  { flags }: Invocation,
  context: CommandContext,
): ConvertRequest {
  const options = {
    to,
    cwd: folderNamed(flags.text("cwd"), context),
    mappings: flags.texts("map").map(mapping),
    budgetTokens: flags.number("budget"),
    title: flags.text("title"),
    strict: flags.isSet("strict"),
    unseal: flags.isSet("unseal"),
  };
  return conversionRequest(session, options, context);
}

/** The same request, in the present folder if the session's own is gone and no other was named. */
export function whereItCanRun(request: ConvertRequest, context: CommandContext): ConvertRequest {
  const { cwd } = request.head;
  if (request.cwd !== undefined || cwd === undefined) return request;
  if (existsSync(mapPath(cwd, request.mappings ?? []))) return request;
  const { out, env } = context;
  out.note(
    `The session's folder ${safeLine(cwd)} is gone; it continues in ${safeLine(env.cwd)}. Another folder: --cwd <folder>, or --map old=new.`,
  );
  return { ...request, cwd: env.cwd };
}

/** The folder a flag names; undefined if none is given, `usage` if there is no such folder. */
export function folderNamed(
  given: string | undefined,
  context: CommandContext,
): string | undefined {
  return given === undefined ? undefined : existingFolder(resolve(context.folder, given));
}

function mapping(text: string): PathMapping {
  const at = text.indexOf("=");
  if (at < 1) throw new RepriseError("usage", `--map takes old=new, not ${JSON.stringify(text)}.`);
  return mappingOf(text.slice(0, at), text.slice(at + 1));
}

/** Converts; what fails is explained in the words of this program. */
export async function convertSession(request: ConvertRequest): Promise<Converted> {
  return convert(request).catch((error: unknown) => {
    throw explained(error, request);
  });
}

/** The same error with a hint that fits a conversion. */
function explained(error: unknown, { source, head }: ConvertRequest): unknown {
  if (!isRepriseError(error)) return error;
  const { code, message, details, hint } = error;
  const again = (words: string): RepriseError =>
    new RepriseError(code, message, { cause: error, details, hint: words });
  if (code === "conflict" && details["overBudget"] !== undefined)
    return again(
      "Give a larger --budget; without --strict the last step is kept whole and reported.",
    );
  if (code === "conflict" && details["losses"] !== undefined)
    return again(
      "See what with --dry-run; without --strict it is converted and the losses are reported.",
    );
  if (code === "not_found" && details["folder"] !== undefined)
    return again("Make it, or name the project's folder with --cwd, or --map old=new.");
  const ref = nameOfHead(head);
  if (code === "not_found" && message.includes(`no event ${source.at} `))
    return again(`See its events with \`reprise show ${ref} --all-branches\`.`);
  if (code === "bad_input" && hint === errorHints.bad_input)
    return again("Nothing was written. A conversation needs something a person or a model said.");
  return error;
}

/** What is said of a copy that was written: how it differs, what it ends with, and the way back. */
export function writtenText(
  request: ConvertRequest,
  report: ConvertReport,
  ending: string | undefined,
): string {
  const lines = [
    reportText(request, report, { hasBudget: request.budgetTokens !== undefined }),
    ...(ending === undefined ? [] : [safeLine(ending)]),
    "`reprise undo` removes the copy.",
  ];
  return lines.join("\n");
}

/** Says what a conversion would do; nothing is written. */
export async function tellPlan(
  request: ConvertRequest,
  context: CommandContext,
  /** What the copy would end with, where there is something to say about it. */
  ending?: string,
): Promise<void> {
  const report = await planConversion(request).catch((error: unknown) => {
    throw explained(error, request);
  });
  if (context.json) return context.out.writeJson({ ...report, written: false });
  const hasBudget = request.budgetTokens !== undefined;
  await context.out.write(`${reportText(request, report, { isPlan: true, hasBudget })}\n`);
  if (ending !== undefined) context.out.note(safeLine(ending));
  context.out.note("This is a plan: nothing was written.");
}
