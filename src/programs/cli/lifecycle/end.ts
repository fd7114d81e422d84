import { join } from "node:path";
import { atomicWrite } from "../../../base/atomic-write.ts";
import { factsOfPath } from "../../../bridge/ledger/learn.ts";
import { saysAnything, sessionPath } from "../../../bridge/state/session-path.ts";
import { handover } from "../../../context/handover.ts";
import type { MemoryEntry } from "../../../memory/entry.ts";
import { openMemory } from "../../../memory/memory.ts";
import { maskText } from "../../../redact/mask.ts";
import type { CommandContext, FlagValues, Invocation } from "../run/command.ts";
import { addNote, renewLedger } from "../sessions/ledger-notes.ts";
import { homeOf, isNative, openNative } from "../sessions/native.ts";
import { type SessionInHand, sessionInHand } from "../sessions/session-in-hand.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { type Metrics, readMetrics } from "./metrics.ts";
import { exportMetrics } from "./session-metrics.ts";

/** Closes a session: its ledger is brought up to date, a hand-off is left for anyone who comes next. */
export async function endSession({ flags }: Invocation, context: CommandContext): Promise<void> {
  const given = flags.text("metrics");
  const metrics = given === undefined ? undefined : readMetrics(given, context.folder);
  const inHand = sessionInHand(flags.text("session"), context);
  const summary = await summaryOf(inHand, flags);
  // Before anything is changed: a file that cannot be written leaves the session as it is.
  const file = flags.text("exportMetrics");
  const overwrite = flags.isSet("yes");
  const exported =
    file === undefined
      ? undefined
      : await exportMetrics(inHand, file, { metrics, overwrite, context });
  // A sealed session holds all of it itself.
  const handoff = inHand.isSealed ? undefined : await leavePages(inHand, { summary, metrics });
  await endNative(inHand, { summary, metrics }, context);
  const ref = `${inHand.agent}:${inHand.session}`;
  // What is remembered of a sealed session is not made.
  const remembered =
    flags.isSet("saveMemory") && !inHand.isSealed
      ? await saveSummary(inHand, { summary, ref, context })
      : undefined;
  const ledger = inHand.isSealed ? undefined : inHand.ledger.ledger;
  const said = {
    ref,
    ...(ledger !== undefined && { ledger }),
    ...(handoff !== undefined && { handoff }),
    ...(remembered !== undefined && { memory: remembered.id }),
    ...(exported && { exportedMetrics: exported }),
  };
  if (context.json)
    return context.out.writeJson({ ...said, ...(metrics !== undefined && { metrics }) });
  const kept = ledger === undefined ? "" : ` Ledger: ${safeLine(ledger)}`;
  context.out.note(`Ended ${safeLine(ref)}.${kept}`);
  if (handoff !== undefined) context.out.note(`Hand-off: ${safeLine(handoff)}`);
  if (remembered !== undefined) context.out.note(`Remembered: ${safeLine(remembered.key)}`);
  if (exported) context.out.note(`Metrics: ${safeLine(exported)}`);
}

/** The words given, the built-in summary if the flag has none, nothing without the flag. */
async function summaryOf(inHand: SessionInHand, flags: FlagValues): Promise<string | undefined> {
  const words = flags.text("summary");
  if (words !== undefined || !flags.isSet("summary")) return words;
  return builtInSummary(inHand);
}

/** What a session says about itself, short and without secrets; empty if nobody said anything. */
async function builtInSummary({ found }: SessionInHand): Promise<string> {
  const path = found === undefined ? [] : await sessionPath({ ...found, at: undefined });
  const built = saysAnything(path) ? handover(path, { budgetTokens: summaryTokens }) : "";
  return maskText(built).text.trim();
}

const summaryTokens = 400;

/** Remembers what came of a session: its summary, else the built-in one. */
async function saveSummary(
  inHand: SessionInHand,
  given: {
    readonly summary: string | undefined;
    readonly ref: string;
    readonly context: CommandContext;
  },
): Promise<MemoryEntry | undefined> {
  const { summary = "", ref, context } = given;
  const text = maskText(summary).text.trim() || (await builtInSummary(inHand));
  if (text === "") return undefined;
  const memory = openMemory({ env: context.env, home: homeOf(context) });
  try {
    return await memory.store({
      key: `session ${ref}`,
      value: text,
      type: "notepad",
      tags: ["session"],
      // Scripts and agents call this: it is given to nobody unasked before the user approved it.
      provenance: "assistant",
      evidence: [{ kind: "event", ref }],
    });
  } finally {
    memory.close();
  }
}

/** What is known when a session is closed. */
interface Ending {
  readonly summary: string | undefined;
  readonly metrics: Metrics | undefined;
}

async function leavePages(
  inHand: SessionInHand,
  { summary, metrics }: Ending,
): Promise<string | undefined> {
  const handoff = await leaveHandoff(inHand);
  if (summary !== undefined && summary.trim() !== "")
    await addNote(inHand, { kind: "end", text: summary });
  if (metrics !== undefined) {
    atomicWrite(join(inHand.ledger.folder, "metrics.json"), `${JSON.stringify(metrics)}\n`);
  }
  return handoff;
}

async function leaveHandoff(inHand: SessionInHand): Promise<string | undefined> {
  const { found, ledger } = inHand;
  const path = found === undefined ? [] : await sessionPath({ ...found, at: undefined });
  await renewLedger(inHand, factsOfPath(path));
  if (!saysAnything(path)) return undefined;
  atomicWrite(ledger.handoff, `${maskText(handover(path)).text.trimEnd()}\n`);
  return ledger.handoff;
}

/** A session of our own says itself that it is over. */
async function endNative(
  { found }: SessionInHand,
  { summary, metrics }: Ending,
  context: CommandContext,
): Promise<void> {
  if (found === undefined || !isNative(found)) return;
  const session = openNative(found, context);
  try {
    if (metrics !== undefined)
      await session.append({ type: "custom", name: "metrics", data: metrics });
    await session.end(summary);
  } finally {
    await session.close();
  }
}
