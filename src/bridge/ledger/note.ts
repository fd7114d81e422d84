import { asString, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { oneLine } from "../../model/text.ts";

/** What a note is about; each kind has its section in the ledger. */
export const noteKinds = [
  "note",
  "goal",
  "constraint",
  "decision",
  "question",
  "next",
  "done",
  "end",
] as const;

export type NoteKind = (typeof noteKinds)[number];

/** Something said about a session from outside of it. */
export interface Note {
  readonly at: string;
  readonly kind: NoteKind;
  readonly text: string;
}

/** The line of a note. */
export function encodeNote({ at, kind, text }: Note): string {
  return `${JSON.stringify({ at, kind, text: oneLine(text, limits.ledgerItemChars) })}\n`;
}

/** The notes of a file, in the order they were made; lines that are none are passed over. */
export function notesIn(text: string | undefined): readonly Note[] {
  return (text ?? "").split("\n").flatMap((line): readonly Note[] => {
    const record = line.trim() === "" ? undefined : parseObject(line);
    const kind = noteKinds.find((name) => name === record?.["kind"]);
    const said = oneLine(asString(record?.["text"]) ?? "", limits.ledgerItemChars);
    if (kind === undefined || said === "") return [];
    return [{ at: asString(record?.["at"]) ?? "", kind, text: said }];
  });
}
