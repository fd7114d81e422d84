import { contentFrom } from "../blame/content.ts";
import { replay } from "../blame/replay.ts";
import type { SessionAct } from "../blame/session-acts.ts";
import { editAlone } from "./attribute-lines.ts";
import { exactLines, isBinary, plainLines } from "./exact-lines.ts";
import type { PlacedAct } from "./session-work.ts";

/** What lies at a path, as far as that is known. */
export type FileState =
  | { readonly kind: "file"; readonly bytes: Buffer; readonly mode?: number }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "folder" }
  | { readonly kind: "absent" }
  /** Too large, or it could not be read. */
  | { readonly kind: "unreadable"; readonly why: string }
  | { readonly kind: "unknown" };

/** The files of a folder that something knows: a checkpoint, or the disk. */
export interface FileSource {
  read(path: string): FileState;
}

/** One end of a diff: files that are known, and edits made to them since. */
export interface Point {
  /** What it is called, for people. */
  readonly name: string;
  readonly folder: string;
  readonly atMs: number;
  /** What is known of the files before the edits. */
  readonly files: FileSource;
  readonly acts: readonly PlacedAct[];
}

/** What lay at a path at a point: the known files with the edits since replayed. */
export function stateAt({ files, acts }: Point, path: string): FileState {
  const own = acts.filter((act) => isOf(act, path));
  return own.reduce(after, files.read(path));
}

/** What the first edit of each file reports it before; the edits must be in order. */
export function filesBefore(acts: readonly PlacedAct[]): FileSource {
  return {
    read: (path) => {
      const first = acts.find((act) => isOf(act, path))?.act;
      if (first?.textBefore !== undefined) return fileOf(first.textBefore);
      const makes = first?.action === "created" && first.changes[0]?.kind === "write";
      return makes ? { kind: "absent" } : { kind: "unknown" };
    },
  };
}

function isOf({ path, movedTo }: PlacedAct, wanted: string): boolean {
  return path === wanted || movedTo === wanted;
}

/** What lies there after an edit. */
function after(state: FileState, placed: PlacedAct): FileState {
  const { act, path, movedTo } = placed;
  if (act.outcome !== "done") return state;
  if (act.action === "deleted") return { kind: "absent" };
  if (act.textAfter !== undefined) return fileOf(act.textAfter);
  // Where it was moved to, what it holds is reported only by a whole text.
  if (movedTo !== undefined && movedTo !== path) return { kind: "unknown" };
  const [only] = act.changes;
  if (act.changes.length === 1 && only?.kind === "write") return fileOf(only.content);
  const text = act.textBefore ?? textOf(state);
  return text === undefined ? { kind: "unknown" } : edited(text, act);
}

function edited(text: string, act: SessionAct): FileState {
  const start = contentFrom(plainLines(exactLines(text)), undefined);
  const { content, unplaced } = replay([editAlone(act)], start);
  if (content === undefined || unplaced.length > 0) return { kind: "unknown" };
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = content.lines.join(end);
  const isEnded = text === "" || text.endsWith("\n");
  return fileOf(isEnded && content.lines.length > 0 ? `${lines}${end}` : lines);
}

function fileOf(text: string): FileState {
  return { kind: "file", bytes: Buffer.from(text) };
}

/** The text of a file; an absent one has none, and one that is not text is undefined. */
export function textOf(state: FileState): string | undefined {
  if (state.kind === "absent") return "";
  if (state.kind !== "file" || isBinary(state.bytes)) return undefined;
  return state.bytes.toString("utf8");
}
