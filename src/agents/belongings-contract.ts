import type { Environment } from "../base/env.ts";
import type { SessionRef } from "./contract.ts";

/** Rows of a table: those whose column is a value, or begins with a text. */
export interface RowChoice {
  readonly database: string;
  readonly table: string;
  readonly column: string;
  readonly value: string;
  readonly beginsWith?: true;
}

/** A part of a file that other sessions have parts of as well. */
export interface OwnPiece {
  readonly path: string;
  readonly offset: number;
  readonly sizeBytes: number;
}

/** All that a session consists of in its agent's store, and nothing that others need: what goes when it is deleted. */
export interface Belongings {
  /** Whole files; those that are not there are passed over. */
  readonly files: readonly string[];
  /** Folders that are the session's own, with all that is in them. */
  readonly folders?: readonly string[];
  readonly pieces?: readonly OwnPiece[];
  /** Rows, in an order in which they can be inserted. */
  readonly rows?: readonly RowChoice[];
}

/** Says what a session consists of; it only looks. */
export type BelongingsOf = (ref: SessionRef, env: Environment) => Promise<Belongings>;
