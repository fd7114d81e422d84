import { closeSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { processEnvironment } from "../../base/env.ts";
import type { JsonObject } from "../../base/json.ts";
import { openForReading } from "../../base/open-file.ts";
import { readFully } from "../../base/read-fully.ts";
import type { Damage } from "../../model/damage.ts";
import type { ReadBatch, ReadOptions, SessionRef } from "../contract.ts";
import { type Parts, type RowPart, readParts } from "../row-document.ts";
import { type Conversation, type ExportList, folderFor, listOf } from "./export-list.ts";
import { chatgptParts } from "./read/chatgpt-parts.ts";
import { claudeParts } from "./read/claude-parts.ts";
import { geminiParts } from "./read/gemini-parts.ts";
import { elementIn } from "./stored-elements.ts";

/** The events of one conversation of an export: its live path, or with `allBranches` also what was said again. */
export function read(ref: SessionRef, options: ReadOptions = {}): AsyncGenerator<ReadBatch> {
  const parts: Parts = (onDamage) => partsOf(ref, onDamage);
  return readParts(ref, options, parts);
}

function* partsOf(ref: SessionRef, onDamage: (damage: Damage) => void): Generator<RowPart> {
  const list = listOf(ref.path, ref.root ?? folderFor(processEnvironment()));
  const found = list?.conversations.get(ref.part ?? "");
  if (list === undefined || found === undefined) {
    const detail = `the export does not hold ${ref.part ?? ref.session}`;
    for (const damage of list?.damage ?? []) onDamage(damage);
    onDamage({ kind: "bad_record", offset: 0, recovered: 0, detail });
    return;
  }
  yield* conversationParts(list, found, onDamage);
}

function* conversationParts(
  list: ExportList,
  found: Conversation,
  onDamage: (damage: Damage) => void,
): Generator<RowPart> {
  if (found.service === "gemini") {
    // A day is several elements: one that is gone is missing here.
    for (const damage of list.damage) onDamage(damage);
    return yield* geminiParts(elements(list, found, onDamage));
  }
  for (const element of elements(list, found, onDamage))
    yield* found.service === "chatgpt" ? chatgptParts(element) : claudeParts(element);
}

/** The elements of a conversation, one held at a time. */
function* elements(
  list: ExportList,
  { places }: Conversation,
  onDamage: (damage: Damage) => void,
): Generator<JsonObject> {
  for (const { document, offset, length } of places) {
    const fd = openForReading(isAbsolute(document) ? document : join(list.folder, document));
    try {
      const element = elementIn(readFully(fd, { from: offset, length }));
      if (element !== undefined) yield element;
      else onDamage({ kind: "bad_json", offset, length, recovered: 0 });
    } finally {
      closeSync(fd);
    }
  }
}
