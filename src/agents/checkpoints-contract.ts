import type { SessionHead } from "../model/head.ts";
import type { SessionRef } from "./contract.ts";

/** A checkpoint that an agent keeps for itself, in its own store. */
export interface AgentCheckpoint {
  /** Its own name, unique in its session: the id of a message, or of a commit or tree. */
  readonly name: string;
  readonly at?: string;
  /** The agent's own id of the message it belongs to. */
  readonly uuid?: string;
  /** What it was taken for, such as the name of a tool. */
  readonly label?: string;
  /** How many files it speaks of, where that is known without opening it. */
  readonly files?: number;
}

/** One file as an agent's checkpoint has it. */
export interface AgentCheckpointFile {
  /** Where it lay, as an absolute path. */
  readonly path: string;
  /** Its bytes; absent where nothing was there, or where it was a link. */
  readonly content?: Uint8Array;
  /** Where it led, if it was a link. */
  readonly target?: string;
  /** Its mode, where the agent keeps it. */
  readonly mode?: number;
  /** Why the agent's store does not have it any more; nothing else is known of it then. */
  readonly lost?: string;
}

/** Reads the checkpoints an agent keeps itself; its store is never written. */
export interface AgentCheckpoints {
  /** The checkpoints of a session, the oldest first; none where it has none. */
  list(ref: SessionRef, head: SessionHead): Promise<readonly AgentCheckpoint[]>;
  /** The files of one of them, one by one; throws `not_found` if there is none of this name. */
  files(ref: SessionRef, head: SessionHead, name: string): AsyncIterable<AgentCheckpointFile>;
}
