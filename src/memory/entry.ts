/** What a memory is about; short-term ones expire by themselves. */
export const memoryTypes = [
  "short-term",
  "long-term",
  "entity",
  "knowledge",
  "notepad",
  "preference",
  "decision",
] as const;
/** One of the types of memories. */
export type MemoryType = (typeof memoryTypes)[number];

/** Who may read an entry: its owner, everybody in its namespace, or everybody. */
export const accessLevels = ["private", "shared", "public"] as const;
/** One of the levels of access. */
export type Access = (typeof accessLevels)[number];

/** Where a memory comes from. Only what the user said counts as said; the rest is a quotation. */
export const provenances = ["user", "assistant", "tool", "imported"] as const;
/** One of the ways a memory came to be known. */
export type Provenance = (typeof provenances)[number];

/** Who owns what no agent stored. */
export const userOwner = "user";

/** Where an entry stands: in use, waiting in the inbox, refused by the user, or put away. */
export const statuses = ["kept", "proposed", "rejected", "archived"] as const;
/** One of the states of a memory. */
export type Status = (typeof statuses)[number];

/** What proves a memory: an event of a session, the bytes of a file, or a commit. */
export type Evidence =
  | { readonly kind: "event"; readonly ref: string }
  | { readonly kind: "file"; readonly path: string; readonly sha256: string }
  | { readonly kind: "commit"; readonly commit: string; readonly folder?: string };

/** One version of a memory. */
export interface MemoryEntry {
  readonly id: string;
  /** The name it is found by; one entry in a namespace has it. */
  readonly key: string;
  /** JSON, and besides `Date`, `Map`, `Set` and bytes. */
  readonly value: unknown;
  readonly type: MemoryType;
  readonly namespace: string;
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly owner: string;
  readonly access: Access;
  readonly status: Status;
  readonly provenance: Provenance;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly accessedAt?: string;
  readonly expiresAt?: string;
  /** Counts from 1; every change makes a new one. */
  readonly version: number;
  /** Of the value as JSON. */
  readonly sizeBytes: number;
  readonly compressed: boolean;
  /** SHA-256 of the value as JSON. */
  readonly checksum: string;
  /** Ids or keys of entries it speaks of. */
  readonly references: readonly string[];
  /** Ids or keys of entries it is true by. */
  readonly dependencies: readonly string[];
  readonly evidence: readonly Evidence[];
  /** What the older statement it replaces is called, where that is another entry. */
  readonly supersedes?: string;
  /** Who took it out of the inbox; absent if it never waited there. */
  readonly approvedBy?: string;
}

/** What a caller says of a new memory; the rest has defaults. */
export interface NewMemory {
  readonly key: string;
  readonly value: unknown;
  readonly type?: MemoryType;
  readonly tags?: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly access?: Access;
  readonly status?: Status;
  readonly provenance?: Provenance;
  /** Milliseconds from now; seven days for `short-term`, for ever otherwise. */
  readonly ttlMs?: number;
  readonly expiresAt?: string;
  readonly references?: readonly string[];
  readonly dependencies?: readonly string[];
  readonly evidence?: readonly Evidence[];
  readonly supersedes?: string;
}

/** What an update may change; `null` for `expiresAt` means that it never expires. */
export type MemoryChange = Partial<Omit<NewMemory, "key" | "expiresAt">> & {
  readonly expiresAt?: string | null;
};
