import { partsOfPage } from "../../model/note-page.ts";
import type { ReadBatch, ReadOptions, SessionRef } from "../contract.ts";
import { type DocumentPart, readDocument } from "../document.ts";
import { frontPart, notePart, pageParts } from "../note-parts.ts";
import { partsOfYaml } from "./yaml-parts.ts";

const agent = "continuous-claude";

/** The parts of a ledger or a hand-off, as notes. */
export function read(ref: SessionRef, options: ReadOptions = {}): AsyncGenerator<ReadBatch> {
  const isYaml = /\.ya?ml$/.test(ref.path);
  return readDocument(ref, options, (text) => ({
    parts: isYaml ? yamlParts(text) : pageParts(agent, text),
  }));
}

/** A hand-off in YAML: the front block, then a note for each of its keys. */
function yamlParts(text: string): readonly DocumentPart[] {
  return partsOfPage(text).flatMap((part) =>
    part.kind === "front" ? [frontPart(agent, part.text)] : partsOfYaml(part.text).map(notePart),
  );
}
