import { fstatSync } from "node:fs";
import { join } from "node:path";
import { limits } from "../../base/limits.ts";
import { readOpen } from "../../base/open-file.ts";
import type { SessionHead } from "../../model/head.ts";
import { type Opening, opened } from "../../model/opening.ts";
import { oneLine } from "../../model/text.ts";
import type { SessionRef } from "../contract.ts";
import { headOfFile, openingOfFile } from "../session-file.ts";
import { readEnd } from "./head/end.ts";
import { readOrigin, readStart } from "./head/start.ts";
import { plainPath, timeOfId } from "./rollout-files.ts";
import { nameOf } from "./session-names.ts";

/**
 * What the first and last kilobytes of a thread's newest file tell. A compressed file is not decoded
 * for it: then only its name, the store's list of names and the time in its id speak.
 */
export function head(ref: SessionRef): SessionHead | undefined {
  const named = ref.root === undefined ? undefined : nameOf(ref.root, ref.session);
  if (plainPath(ref.path) !== ref.path)
    return headOfFile(ref, (fd) => (fstatSync(fd).isFile() ? unread(ref, named) : undefined));
  const told = headOfFile(ref, (fd) => readHead(fd, ref, named));
  // Its name is known also where it cannot be read.
  return told?.problem === undefined ? told : { ...unread(ref, named), problem: told.problem };
}

function readHead(fd: number, ref: SessionRef, named: string | undefined): SessionHead | undefined {
  const { sizeBytes } = ref;
  const untitled = named === undefined || named === "";
  const start = readStart(fd, { wantsPrompt: untitled });
  if (start.empty) return undefined;
  const tail = readEnd(fd, { sizeBytes, marksTurns: start.marksTurns });
  const prompt = untitled ? (oldestPrompt(ref) ?? start.prompt) : undefined;
  const title = untitled ? prompt : named;
  const model = tail.model ?? start.model;
  const told: { -readonly [Key in keyof SessionHead]: SessionHead[Key] } = {
    agent: ref.agent,
    session: ref.session,
    path: ref.path,
    sizeBytes,
    updatedAt: tail.updatedAt ?? isoOf(ref.modifiedMs),
    state: tail.state,
    ...start.fields,
  };
  // Assigned one by one: a list makes a thousand of these.
  if (title !== undefined) {
    told.title = oneLine(title, limits.titleChars);
    told.titled = !untitled;
  }
  if (model !== undefined) told.model = model;
  if (tail.usage !== undefined) told.usage = tail.usage;
  return told;
}

/** What the first bytes of a thread's newest file tell. */
export function opening(ref: SessionRef): Opening | undefined {
  return openingOfFile(ref, (fd) => {
    if (plainPath(ref.path) !== ref.path)
      return fstatSync(fd).isFile() ? opened(ref.session) : undefined;
    const { empty, cwd, relation } = readOrigin(fd);
    return empty
      ? undefined
      : opened(ref.session, { cwd, subagent: relation?.kind === "subagent" });
  });
}

/** What the store calls the thread; the oldest file of one that was rewound is a part of its place. */
export function headStamp(ref: SessionRef): string {
  return (ref.root === undefined ? undefined : nameOf(ref.root, ref.session)) ?? "";
}

/** What is known of a file that is not opened. */
function unread(ref: SessionRef, named: string | undefined): SessionHead {
  const createdAt = timeOfId(ref.session);
  const titled = named !== undefined && named !== "";
  return {
    agent: ref.agent,
    session: ref.session,
    path: ref.path,
    sizeBytes: ref.sizeBytes,
    updatedAt: isoOf(ref.modifiedMs),
    state: "unknown",
    ...(createdAt !== undefined && { createdAt }),
    ...(titled && { title: oneLine(named, limits.titleChars), titled }),
  };
}

/** A rewound thread began in its oldest file: its first prompt is there. */
function oldestPrompt(ref: SessionRef): string | undefined {
  if (ref.part === undefined || ref.root === undefined) return undefined;
  const path = join(ref.root, ref.part.split("\n", 1)[0]!);
  if (plainPath(path) !== path) return undefined;
  return readOpen(path, (fd) => readStart(fd, { wantsPrompt: true }).prompt, undefined);
}

function isoOf(ms: number): string {
  return new Date(Number.isFinite(ms) ? ms : 0).toISOString();
}
