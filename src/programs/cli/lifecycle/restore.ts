import { RepriseError } from "../../../base/errors.ts";
import { tellLedger } from "../../../bridge/ledger/tell.ts";
import { readView } from "../../../bridge/ledger/view.ts";
import { saysAnything, sessionPath } from "../../../bridge/state/session-path.ts";
import { readTeam } from "../../../bridge/team/log.ts";
import { tellTeam } from "../../../bridge/team/tell.ts";
import { estimateTokens } from "../../../context/estimate.ts";
import { handover } from "../../../context/handover.ts";
import { digestOf } from "../../../memory/digest.ts";
import { injectedText } from "../../../model/injected.ts";
import { maskText } from "../../../redact/mask.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { homeOf } from "../sessions/native.ts";
import { type SessionInHand, sessionInHand } from "../sessions/session-in-hand.ts";
import { safeText } from "../terminal/terminal-text.ts";
import { restoreFilesOf } from "./restore-files.ts";

const defaultTokens = 4_000;

/**
 * Prints the context to continue, within a budget and marked as ours. Files come back only with `--files`; without `--yes`
 * their plan is shown, and nothing else happens.
 */
export async function restoreSession(
  reference: string,
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const { flags } = invocation;
  const inHand = sessionInHand(reference || flags.text("session"), context);
  const budget = flags.number("budget") ?? defaultTokens;
  const { ledger, found } = inHand;
  const path = found === undefined ? [] : await sessionPath({ ...found, at: found.event });
  const team = readTeam(ledger.project);
  const parts = [
    {
      name: "ledger",
      text: tellLedger(readView(ledger) ?? [], {
        part: "whole",
        introduction: `# Ledger\n\nKept in ${ledger.ledger}.`,
        budgetTokens: Math.floor(budget * 0.35),
      }),
    },
    {
      name: "team",
      text: team === undefined ? "" : tellTeam(team, { budgetTokens: Math.floor(budget * 0.15) }),
    },
    {
      name: "handover",
      text: saysAnything(path) ? handover(path, { budgetTokens: Math.floor(budget * 0.48) }) : "",
    },
    {
      name: "memory",
      text: flags.isSet("memory") && !inHand.isSealed ? memoryPart(inHand, context, budget) : "",
    },
  ].filter(({ text }) => text !== "");
  const ref = `${inHand.agent}:${inHand.session}`;
  const checkpoint = flags.text("files");
  if (parts.length === 0 && checkpoint === undefined) {
    throw new RepriseError("not_found", `There is nothing to restore of ${ref}.`, {
      hint: "Nobody has said anything in it yet.",
    });
  }
  const moved =
    checkpoint === undefined
      ? undefined
      : await restoreFilesOf(inHand, checkpoint, { invocation, context });
  const { text, found: masked } = maskText(
    injectedText(parts.map((part) => part.text).join("\n\n")),
  );
  if (!context.json) {
    if (moved !== undefined) context.out.note(moved.says);
    if (parts.length > 0) await context.out.write(`${safeText(text)}\n`);
    return;
  }
  const names = parts.map(({ name }) => name);
  const said = { ref, text, tokens: estimateTokens(text), parts: names, masked };
  await context.out.writeJson({ ...said, ...(moved && { ...moved.json, done: true }) });
}

/** What the user stored or approved about the project. */
function memoryPart(
  { agent }: SessionInHand,
  context: CommandContext,
  budgetTokens: number,
): string {
  const { root } = homeOf(context);
  const reader = context.env.variables["REPRISE_AGENT"] || agent;
  const tokens = Math.floor(budgetTokens * 0.25);
  return digestOf({ root, cwd: context.env.cwd, reader, budgetTokens: tokens });
}
