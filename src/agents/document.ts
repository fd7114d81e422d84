import { isUtf8 } from "node:buffer";
import { fstatSync } from "node:fs";
import { basename } from "node:path";
import { RepriseError } from "../base/errors.ts";
import { fingerprint } from "../base/fingerprint.ts";
import { folderExists } from "../base/folders.ts";
import { limits } from "../base/limits.ts";
import { readFully } from "../base/read-fully.ts";
import type { Damage } from "../model/damage.ts";
import type { EventBody } from "../model/event.ts";
import type { SessionHead } from "../model/head.ts";
import { oneLine } from "../model/text.ts";
import type { AgentEvent, ReadBatch, ReadOptions, SessionRef } from "./contract.ts";
import { readFile } from "./session-file.ts";

/** One thing a document says. */
export interface DocumentPart {
  /** Its native ordinal; the place among all parts if absent. */
  readonly number?: string;
  readonly at?: string | undefined;
  readonly body: EventBody;
  readonly native?: unknown;
}

/** What a document says, and what of it could not be read. */
export interface DocumentContent {
  readonly parts: readonly DocumentPart[];
  readonly damage?: readonly Damage[];
}

/** The whole text of an open file; throws `too_large` over the limit. Damage says what in it is not a text. */
export function documentText(
  fd: number,
  path: string,
): { readonly text: string; readonly damage: readonly Damage[] } {
  const length = fstatSync(fd).size;
  if (length > limits.documentBytes)
    throw new RepriseError("too_large", `${path} has ${length} bytes.`);
  const bytes = readFully(fd, { from: 0, length });
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const text = bytes.toString("utf8", hasMark ? 3 : 0);
  const damage: Damage[] = [];
  const nul = bytes.indexOf(0);
  if (nul >= 0) damage.push({ kind: "nul_run", offset: nul, recovered: 1 });
  if (!isUtf8(bytes)) damage.push({ kind: "bad_utf8", offset: 0, recovered: 1 });
  return { text, damage };
}

/**
 * The events of a file that is small and rewritten as a whole: all of it is read each time, and a cursor is what it was
 * then. Every event is live and follows the one before.
 */
export function readDocument(
  ref: SessionRef,
  options: ReadOptions,
  parse: (text: string) => DocumentContent,
): AsyncGenerator<ReadBatch> {
  return readFile(ref, options, function* (fd) {
    const { text, damage } = documentText(fd, ref.path);
    const cursor = `doc1 ${fingerprint(text)}`;
    const { from, last } = options;
    if (from === cursor) {
      yield { events: [], damage: [], cursor };
      return;
    }
    const content = parse(text);
    const events = chained(content.parts);
    yield {
      events: from === undefined ? lastOf(events, last) : events,
      damage: [...damage, ...(content.damage ?? [])],
      cursor,
      ...(from !== undefined && { restart: true }),
    };
  });
}

/** What a document reports itself besides its place. */
export type DocumentFacts = Pick<SessionHead, "kind"> &
  Partial<Pick<SessionHead, "session" | "state" | "problem">> & {
    readonly title?: string | undefined;
    readonly createdAt?: string | undefined;
    readonly updatedAt?: string | undefined;
    /** The folder it is about; the root of its store if absent. */
    readonly cwd?: string | undefined;
  };

/** The head of a document: where it lies and what it says. */
export function documentHead(ref: SessionRef, facts: DocumentFacts): SessionHead {
  const { title, createdAt, updatedAt, cwd = ref.root, ...rest } = facts;
  const line = oneLine(title ?? "", limits.titleChars);
  const { agent, session, path, sizeBytes, modifiedMs } = ref;
  return {
    agent,
    session,
    path,
    sizeBytes,
    ...(createdAt !== undefined && { createdAt }),
    updatedAt: updatedAt ?? new Date(Number.isFinite(modifiedMs) ? modifiedMs : 0).toISOString(),
    ...(line !== "" && { title: line, titled: true }),
    ...(cwd !== undefined && {
      cwd,
      cwdExists: folderExists(cwd),
      project: { name: basename(cwd), path: cwd },
    }),
    state: "unknown",
    ...rest,
  };
}

/** Says in a head that a document is damaged. */
export function problemOfDamage(damage: readonly Damage[]): { readonly problem?: string } {
  const [first] = damage;
  return first === undefined ? {} : { problem: `The file is damaged: ${first.kind}.` };
}

function chained(parts: readonly DocumentPart[]): readonly AgentEvent[] {
  let parent: string | undefined;
  return parts.map(({ number: own, at, body, native }, index) => {
    const number = own ?? String(index + 1);
    const event = {
      number,
      ...(parent !== undefined && { parent }),
      ...(at !== undefined && { at }),
      live: true,
      body,
      ...(native !== undefined && { native }),
    };
    parent = number;
    return event;
  });
}

function lastOf(events: readonly AgentEvent[], last: number | undefined): readonly AgentEvent[] {
  return last === undefined ? events : events.slice(Math.max(0, events.length - last));
}
