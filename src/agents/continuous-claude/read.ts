import { partsOfPage } from "../../model/note-page.ts";
import type { ReadBatch, ReadOptions, SessionRef } from "../contract.ts";
import { type DocumentPart, readDocument } from "../document.ts";
import { frontPart, notePart } from "../note-parts.ts";
import { partsOfYaml } from "./yaml-parts.ts";

/** The parts of a ledger or a hand-off, as notes. */
export function read(ref: SessionRef, options: ReadOptions = {}): AsyncGenerator<ReadBatch> {
  const isYaml = /\.ya?ml$/.test(ref.path);
  return readDocument(ref, options, (text) => ({
    parts: isYaml ? yamlParts(text) : partsOfPage(text).map(partOf),
  }));
}

function partOf({
  kind,
  text,
}: {
  readonly kind: "front" | "text";
  readonly text: string;
}): DocumentPart {
  return kind === "front" ? frontPart("continuous-claude", text) : notePart(text);
}

/** A hand-off in YAML: the front block, then a note for each of its keys. */
function yamlParts(text: string): readonly DocumentPart[] {
  return partsOfPage(text).flatMap((part) =>
    part.kind === "front" ? [partOf(part)] : partsOfYaml(part.text).map(notePart),
  );
}
