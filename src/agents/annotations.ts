import { isObject } from "../base/json.ts";
import { journalEntries, record } from "../log/journal.ts";
import type { EventId } from "../model/event.ts";
import type { SessionHead } from "../model/head.ts";

/** What the user says about a session another program owns; it lives in the journal (P3, P11). */
export interface Annotation {
  /** Null takes a title of ours away again. */
  readonly title?: string | null;
  readonly tags?: readonly string[];
  readonly pinned?: boolean;
}

/** The journal's word for an annotation, and for an entry that was taken back. */
export const annotationKind = "annotation";
export const undoneKind = "undone";

/** Writes down what the user says about a foreign session; returns the journal's number. */
export function annotate(
  journal: string,
  session: { readonly agent: string; readonly session: string },
  change: Annotation,
): EventId {
  const { agent, session: id } = session;
  return record(journal, annotationKind, { agent, session: id, ...change });
}

/** Everything the user said about foreign sessions, by `agent:session`; the last word counts. */
export function readAnnotations(journal: string): ReadonlyMap<string, Annotation> {
  const entries = [...journalEntries(journal)];
  const undone = undoneEntries(entries);
  const found = new Map<string, Annotation>();
  for (const { id, kind, data } of entries) {
    if (kind !== annotationKind || undone.has(id)) continue;
    const key = `${String(data["agent"])}:${String(data["session"])}`;
    found.set(key, { ...found.get(key), ...annotationOf(data) });
  }
  return found;
}

/** The numbers of entries that were undone. */
export function undoneEntries(
  entries: Iterable<{ readonly kind: string; readonly data: Readonly<Record<string, unknown>> }>,
): ReadonlySet<EventId> {
  const undone = new Set<EventId>();
  for (const { kind, data } of entries) {
    if (kind === undoneKind && typeof data["entry"] === "number") undone.add(data["entry"]);
  }
  return undone;
}

function annotationOf(data: unknown): Annotation {
  if (!isObject(data)) return {};
  const { title, tags, pinned } = data;
  return {
    ...((typeof title === "string" || title === null) && { title }),
    ...(Array.isArray(tags) && { tags: tags.filter((tag) => typeof tag === "string") }),
    ...(typeof pinned === "boolean" && { pinned }),
  };
}

/** The head as the user wants to see it. */
export function annotated(head: SessionHead, annotation: Annotation | undefined): SessionHead {
  if (annotation === undefined) return head;
  const { title, tags, pinned } = annotation;
  return {
    ...head,
    ...(typeof title === "string" && { title, titled: true }),
    ...(tags !== undefined && { tags }),
    ...(pinned !== undefined && { pinned }),
  };
}
