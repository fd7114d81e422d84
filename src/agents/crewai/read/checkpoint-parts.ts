import { asString, isObject, type JsonObject } from "../../../base/json.ts";
import type { Damage } from "../../../model/damage.ts";
import { tableRows } from "../../../sqlite/table-rows.ts";
import type { SessionRef } from "../../contract.ts";
import type { RowPart } from "../../row-document.ts";
import {
  type CheckpointPlace,
  checkpointFiles,
  checkpointFolder,
  checkpointRows,
  lineagesOf,
  livePath,
  newestOf,
} from "../checkpoint-list.ts";
import { checkpoints } from "../stores.ts";
import { momentOf, momentOfId } from "../times.ts";
import {
  type CheckpointContent,
  contentOfFile,
  contentOfValue,
  labelOf,
} from "./checkpoint-content.ts";
import { resultBody } from "./kickoff-parts.ts";

/** A line of checkpoints with its branches: what each added, and what the newest one says happened in the run. */
export function* checkpointParts(
  ref: SessionRef,
  of: { readonly isFiles: boolean; readonly root: string },
  onDamage: (damage: Damage) => void,
): Generator<RowPart> {
  const listed = of.isFiles ? undefined : checkpointRows(ref.path);
  for (const damage of listed?.damage ?? []) onDamage(damage);
  const places = of.isFiles ? checkpointFiles(checkpointFolder(ref.path)) : (listed?.places ?? []);
  const lineage = lineagesOf(places).find(({ root }) => root === of.root);
  if (lineage === undefined) return;
  const live = livePath(lineage);
  const newest = newestOf(lineage.places);
  const numbers = new Map(lineage.places.map(({ id }, index) => [id, String(index + 1)]));
  const ends = new Map<string, string>();
  const done = new Map<string, ReadonlySet<string>>();
  for (const { place, content } of contents(ref.path, lineage.places)) {
    const number = numbers.get(place.id)!;
    const known = done.get(place.parent ?? "") ?? new Set();
    const above = place.parent === undefined ? undefined : ends.get(place.parent);
    if (content === undefined || content.isDamaged)
      onDamage({
        kind: "bad_record",
        offset: 0,
        recovered: content === undefined ? 0 : 1,
        detail: `checkpoint ${place.id}`,
      });
    let last = number;
    for (const part of partsOf(place, content, { known, isNewest: place.id === newest?.id })) {
      const own = part.number === "1" ? number : `${number}.${part.number}`;
      const isFirst = part.number === "1";
      yield {
        ...part,
        number: own,
        at: part.at ?? momentOfId(place.id),
        live: live.has(place.id),
        ...(isFirst && above !== undefined && { parent: above }),
      };
      last = own;
    }
    ends.set(place.id, last);
    done.set(place.id, doneIn(content, known));
  }
}

/** Each checkpoint with its content, one held at a time. Rows come as they lie, so they are looked up by id first. */
function* contents(
  path: string,
  places: readonly CheckpointPlace[],
): Generator<{ readonly place: CheckpointPlace; readonly content: CheckpointContent | undefined }> {
  const isFiles = places[0]?.path !== undefined;
  if (isFiles) {
    for (const place of places) yield { place, content: contentOfFile(place.path!) };
    return;
  }
  const waiting = new Map<string, CheckpointContent | undefined>();
  const left = [...places];
  const wanted = new Set(places.map(({ id }) => id));
  const take = function* () {
    while (left[0] !== undefined && waiting.has(left[0].id)) {
      const place = left.shift()!;
      yield { place, content: waiting.get(place.id) };
      waiting.delete(place.id);
    }
  };
  for (const { row } of tableRows(path, checkpoints, () => undefined) ?? []) {
    const id = asString(row["id"]) ?? "";
    if (!wanted.has(id)) continue;
    waiting.set(id, contentOfValue(row["data"]));
    yield* take();
  }
  for (const place of left) yield { place, content: waiting.get(place.id) };
}

function* partsOf(
  place: CheckpointPlace,
  content: CheckpointContent | undefined,
  facts: { readonly known: ReadonlySet<string>; readonly isNewest: boolean },
): Generator<RowPart & { readonly number: string }> {
  const { id, parent, branch } = place;
  const label = content === undefined ? id : labelOf(branch, content);
  const data = { id, branch, ...(parent !== undefined && { parent }) };
  yield { number: "1", body: { type: "checkpoint", label, data }, native: data };
  let number = 1;
  for (const task of content?.tasks ?? []) {
    const name = asString(task["id"]) ?? "task";
    if (!isObject(task["output"]) || facts.known.has(name)) continue;
    const title = asString(task["description"]) ?? name;
    number += 1;
    yield {
      number: String(number),
      body: { type: "task", task: name, title, status: "done" },
      native: task,
    };
    const raw = asString(task["output"]["raw"]) ?? "";
    if (raw === "") continue;
    number += 1;
    yield { number: String(number), body: resultBody(task["output"], raw), native: task };
  }
  if (!facts.isNewest) return;
  for (const event of content?.events ?? []) {
    number += 1;
    yield {
      number: String(number),
      at: momentOf(event["timestamp"]),
      body: eventBody(event),
      native: event,
    };
  }
}

function eventBody(event: JsonObject): RowPart["body"] {
  const type = asString(event["type"]) ?? "event";
  return { type: "custom", name: `crewai/${type}`, data: event };
}

function doneIn(
  content: CheckpointContent | undefined,
  known: ReadonlySet<string>,
): ReadonlySet<string> {
  const done = new Set(known);
  for (const task of content?.tasks ?? [])
    if (isObject(task["output"])) done.add(asString(task["id"]) ?? "task");
  return done;
}
