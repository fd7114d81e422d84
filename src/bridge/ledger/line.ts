import { type SectionName, sectionNamed } from "../../model/note-sections.ts";

/** A line of a ledger and where it stands: before the first section, in one, or under a heading of a person's own. */
export interface LedgerLine {
  /** Without its line end. */
  readonly text: string;
  /** What stands between the text and the line feed. */
  readonly end: "" | "\r";
  readonly place: SectionName | "head" | "other";
  readonly kind: "heading" | "text" | "blank";
}

/** The lines of a ledger with their places; what stands in fenced code is never a heading. */
export function ledgerLines(text: string): readonly LedgerLine[] {
  let place: LedgerLine["place"] = "head";
  let fence: string | undefined;
  return text.split("\n").map((raw) => {
    const end = raw.endsWith("\r") ? "\r" : "";
    const line = end === "" ? raw : raw.slice(0, -1);
    const mark = /^\s{0,3}(```|~~~)/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || fence === mark)) {
      fence = fence === undefined ? mark : undefined;
    }
    const title = fence === undefined ? /^##\s+(.{1,200})$/.exec(line)?.[1] : undefined;
    if (title === undefined) {
      return { text: line, end, place, kind: line.trim() === "" ? "blank" : "text" };
    }
    place = sectionNamed(title) ?? "other";
    return { text: line, end, place, kind: "heading" };
  });
}

const bullet = /^\s*(?:[-*+]|\d{1,3}[.)])\s+/;
const box = /^\[[ xX>→~-]{0,2}\]\s*/;
const pin = /^\(pinned\)\s*/i;

/** What a line says, without the marks in front of it. */
export function itemOf(line: string): string {
  return line.trim().replace(bullet, "").replace(box, "").replace(pin, "").trim();
}

/** Whether a line is marked to be kept in sight. */
export function isPinned(line: string): boolean {
  return pin.test(line.trim().replace(bullet, "").replace(box, ""));
}

/** What makes two lines the same item, however they are marked. Of the lines on top only the label counts. */
export function keyOf({ text, place }: Pick<LedgerLine, "text" | "place">): string {
  if (place === "head") return (/^(#|\w{1,20}:)/.exec(text)?.[1] ?? text).toLowerCase();
  return itemOf(text).replace(/\s+/g, " ").toLowerCase();
}

/** Whether a line goes on what the line before it says. */
export function isNested(line: string): boolean {
  return /^(?: {2,}|\t)/.test(line);
}
