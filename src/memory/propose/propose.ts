import type { SessionRef } from "../../agents/contract.ts";
import { readHead } from "../../agents/library.ts";
import { loadAgent } from "../../agents/registry.ts";
import type { Environment } from "../../base/env.ts";
import type { MemoryEntry, NewMemory } from "../entry.ts";
import { statedMark } from "../injectable.ts";
import { knownPrints } from "../known-prints.ts";
import type { Memory } from "../memory.ts";
import { plainLine } from "../plain-text.ts";
import { printOf } from "../print.ts";
import { Extraction } from "./extract.ts";
import { type Proposal, typeOfKind } from "./proposal.ts";

/** What came of looking through a session. */
export interface Proposed {
  readonly added: readonly MemoryEntry[];
  /** Known already, waiting already, or rejected before. */
  readonly known: number;
  /** A sealed session proposes nothing: what it holds stays in it. */
  readonly isSealed: boolean;
}

const tag = "proposal";

/** Puts what a session teaches into the inbox; what was ever proposed, approved or rejected is not proposed again. */
export async function proposeFrom(
  memory: Memory,
  ref: SessionRef,
  { env }: { readonly env: Environment },
): Promise<Proposed> {
  const head = await readHead(ref, { env });
  const agent = await loadAgent(ref.agent);
  if (head?.sealed === true || agent === undefined)
    return { added: [], known: 0, isSealed: head?.sealed === true };
  const extraction = new Extraction();
  for await (const batch of agent.read(ref, {}))
    for (const event of batch.events) extraction.take(event);
  return proposed(memory, extraction.proposals(), `${ref.agent}:${ref.session}`);
}

/** Puts proposals into the inbox, each with the event that proves it. */
export async function proposed(
  memory: Memory,
  proposals: readonly Proposal[],
  session: string,
): Promise<Proposed> {
  const seen = new Set((await knownPrints(memory)).keys());
  const fresh: NewMemory[] = [];
  for (const { kind, text, provenance, event, stated } of proposals) {
    const print = printOf(text);
    if (seen.has(print)) continue;
    seen.add(print);
    fresh.push({
      key: `${kind}: ${plainLine(text, keyChars)}`,
      value: text,
      type: typeOfKind[kind],
      status: "proposed",
      provenance,
      tags: [tag, kind],
      metadata: { print, keyOf: "value", ...(stated && { [statedMark]: true }) },
      evidence: [{ kind: "event", ref: `${session}@${event}` }],
    });
  }
  const added = fresh.length === 0 ? [] : await memory.storeAll(fresh);
  return { added, known: proposals.length - fresh.length, isSealed: false };
}

const keyChars = 120;
