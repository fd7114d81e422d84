import type { Reach, RuleSource } from "./ignore/rules.ts";
import type { StatPrint } from "./stat-print.ts";
import type { FileEntry, LinkEntry } from "./tree.ts";

/** A file or a link as it was captured. */
export interface LeafState {
  readonly print: StatPrint;
  readonly entry: FileEntry | LinkEntry;
}

/** A file of rules as it was read. */
export interface RuleFileState {
  readonly name: string;
  readonly print: StatPrint;
  readonly source: RuleSource;
}

/** Why an entry that the rules cover is not in a snapshot. */
export type SkipReason =
  | "too large"
  | "unreadable"
  /** Neither file, folder nor link. */
  | "special"
  /** It changed each time it was read. */
  | "changing"
  /** A folder that is ignored, looked at for its name alone. */
  | "folder";

/** What a folder had when it was captured: all that a later capture can take over. */
export interface FolderState {
  readonly print: StatPrint;
  readonly reach: Reach;
  readonly rules: readonly RuleFileState[];
  readonly leaves: ReadonlyMap<string, LeafState>;
  readonly folders: ReadonlyMap<string, FolderState>;
  /** Names that are covered and could not be kept. */
  readonly skipped: ReadonlyMap<string, SkipReason>;
  /** The name of the folder's tree. */
  readonly tree: string;
}
