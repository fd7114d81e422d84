import { frontValues, partsOfPage } from "../model/note-page.ts";
import type { DocumentPart } from "./document.ts";

/** A text of a page as a note. */
export function notePart(text: string): DocumentPart {
  return { body: { type: "note", content: text }, native: text };
}

/** The front block of a page: kept as data, under the agent's name. */
export function frontPart(agent: string, text: string): DocumentPart {
  return {
    body: { type: "custom", name: `${agent}/front`, data: frontValues(text) },
    native: text,
  };
}

/** A page of Markdown: its front block as data, and a note for each heading. */
export function pageParts(agent: string, page: string): readonly DocumentPart[] {
  return partsOfPage(page).map(({ kind, text }) =>
    kind === "front" ? frontPart(agent, text) : notePart(text),
  );
}
