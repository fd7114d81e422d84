import type { MemoryType, Provenance } from "../entry.ts";

/** What kind of thing a session may teach. */
export type ProposalKind = "preference" | "decision" | "correction" | "fact" | "command";

/** Something that may be worth remembering, with what proves it. */
export interface Proposal {
  readonly kind: ProposalKind;
  readonly text: string;
  readonly provenance: Provenance;
  /** The number of the event that says it. */
  readonly event: string;
  /** The user asked for it to be remembered, in so many words. */
  readonly stated: boolean;
}

/** What kinds of proposals become. */
export const typeOfKind: Readonly<Record<ProposalKind, MemoryType>> = {
  preference: "preference",
  decision: "decision",
  correction: "knowledge",
  fact: "knowledge",
  command: "knowledge",
};
