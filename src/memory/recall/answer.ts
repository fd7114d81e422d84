import type { Origin } from "../agents/origin.ts";
import type { Evidence, MemoryType, Provenance } from "../entry.ts";

/** Why a statement is not the whole story: another one says otherwise. */
export interface Counterpart {
  /** What names the other one: a reference of a turn, or the id of a memory. */
  readonly ref: string;
  readonly at?: string;
  /** `update`: the same subject with another value. `contradiction`: one says it, the other denies it. */
  readonly why: "update" | "contradiction";
}

/** What turns and memories that answer have in common. */
export interface RecalledStatement {
  /** What names it: `agent:id@57`, or the id of a memory. */
  readonly ref: string;
  readonly text: string;
  /** Only a part of it is quoted. */
  readonly isCut: boolean;
  readonly at?: string;
  readonly score: number;
  /** Newer statements on the same subject: this one may be outdated. */
  readonly newer: readonly Counterpart[];
  /** Older statements that this one replaces or contradicts. */
  readonly older: readonly Counterpart[];
}

/** A turn of a session that answers. */
export interface RecalledTurn extends RecalledStatement {
  readonly kind: "turn";
  readonly agent: string;
  readonly session: string;
  readonly number: string;
  /** Who said it, or what kind of text it is. */
  readonly role: string;
  readonly title?: string;
  readonly cwd?: string;
}

/** A memory that answers. */
export interface RecalledEntry extends RecalledStatement {
  readonly kind: "entry";
  readonly key: string;
  readonly type: MemoryType;
  readonly namespace: string;
  readonly owner: string;
  readonly provenance: Provenance;
  readonly evidence: readonly Evidence[];
  /** Where it stands, if it is of an agent's own memories and not of ours. */
  readonly origins?: readonly Origin[];
  /** The id or key of the memory it replaces. */
  readonly supersedes?: string;
  /** What it said before it was changed. */
  readonly before?: { readonly text: string; readonly at: string };
  /** What it rests on has changed since: it is not a fact any more. */
  readonly isStale: boolean;
}

/** Something that answers a question. */
export type Answer = RecalledTurn | RecalledEntry;
