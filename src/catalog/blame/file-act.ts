/** One place of a patch: the lines it expects, and the lines that stand there afterwards. */
export interface Hunk {
  /** Lines that stand somewhere before the place, in order; they say where to look. */
  readonly anchors: readonly string[];
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The place is the end of the file. */
  readonly atEnd: boolean;
}

/** How a tool call changes the text of one file. */
export type Change =
  | { readonly kind: "write"; readonly content: string }
  | {
      readonly kind: "replace";
      readonly before: string;
      readonly after: string;
      readonly all: boolean;
    }
  | { readonly kind: "patch"; readonly hunks: readonly Hunk[] }
  /** Lines that now stand in the file; where, is not told. */
  | { readonly kind: "put"; readonly lines: readonly string[] }
  | { readonly kind: "delete" };

/** What a session did with a file. */
export type FileAction = "read" | "modified" | "created" | "deleted";

/** What one tool call does with one file, in the words of the call. */
export interface FileAct {
  /** As the call names it: absolute, or relative to where the session ran. */
  readonly path: string;
  readonly action: FileAction;
  readonly changes: readonly Change[];
  /** The file has this name afterwards. */
  readonly movedTo?: string;
  /** A folder the call itself went to, which relative paths begin in. */
  readonly folder?: string;
}
