import { basename } from "node:path";
import { folderExists } from "../../base/folders.ts";
import { asString, isObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { windowText } from "../../jsonl/text-window.ts";
import type { SessionHead } from "../../model/head.ts";
import { type Opening, opened, openingOf } from "../../model/opening.ts";
import { oneLine } from "../../model/text.ts";
import type { SessionRef } from "../contract.ts";
import { documentHead, documentText, problemOfDamage } from "../document.ts";
import { factsOfEnds, recordsInLine } from "../head-lines.ts";
import { headOfFile, openingOfFile } from "../session-file.ts";
import { type HeadFacts, isoOf, noteEarly, noteLate } from "./head/facts.ts";
import { workspaceFolder, workspaceName, workspaceStamp } from "./head/workspace.ts";
import { isPlan, titleOfPlan } from "./plan.ts";
import { contextOf } from "./read/context.ts";
import { acceptsRecord, dataOf, isHeader } from "./record-types.ts";

/** What the first and last bytes of a session tell; undefined if the file holds nothing of the program's. */
export function head(ref: SessionRef): SessionHead | undefined {
  if (isPlan(ref)) return planHead(ref);
  return headOfFile(ref, (fd) => readHead(fd, ref));
}

/** What the first record says; where it is not the beginning of a session, the whole head is asked. */
export function opening(ref: SessionRef): Opening | undefined {
  if (isPlan(ref)) return openingOf(planHead(ref));
  return openingOfFile(ref, (fd) => {
    const text = windowText(fd, { at: 0, bytes: Math.min(ref.sizeBytes, limits.headBytes) });
    const end = text.indexOf("\n");
    const [record] = end < 0 ? [] : recordsInLine(text.slice(0, end), acceptsRecord);
    if (record === undefined || !isHeader(record)) return openingOf(head(ref));
    const data = dataOf(record);
    return opened(asString(data["sessionId"]) ?? ref.session, contextOf(data));
  });
}

/** The title is in a file beside the session. */
export function headStamp(ref: SessionRef): string {
  return workspaceStamp(ref) ?? "";
}

/** A plan says what it is about, and the file beside it where. */
function planHead(ref: SessionRef): SessionHead | undefined {
  return headOfFile(ref, (fd) => {
    const { text, damage } = documentText(fd, ref.path);
    const title = titleOfPlan(text);
    if (title === undefined) return undefined;
    const facts = { kind: "notes", title, cwd: workspaceFolder(ref) } as const;
    const { root: _store, ...place } = ref;
    return documentHead(place, { ...facts, ...problemOfDamage(damage) });
  });
}

function readHead(fd: number, ref: SessionRef): SessionHead | undefined {
  const notes = { accepts: acceptsRecord, noteEarly, noteLate };
  const { first, last } = factsOfEnds<HeadFacts>(fd, ref.sizeBytes, notes);
  if (first.header === undefined && last.updatedAt === undefined) return undefined;
  return headOf(ref, first, last);
}

function headOf(ref: SessionRef, first: HeadFacts, last: HeadFacts): SessionHead {
  const data = first.header === undefined ? {} : dataOf(first.header);
  const { cwd, git } = contextOf(data);
  const createdAt = isoOf(data["startTime"]) ?? isoOf(first.header?.["timestamp"]);
  const named = workspaceName(ref);
  const title = oneLine(named?.name ?? first.prompt ?? "", limits.titleChars);
  const model = last.model ?? asString(data["selectedModel"]);
  const version = asString(data["copilotVersion"]);
  // Assigned one by one: a list makes thousands of these.
  const told: { -readonly [Key in keyof SessionHead]: SessionHead[Key] } = {
    agent: "copilot-cli",
    session: asString(data["sessionId"]) ?? ref.session,
    path: ref.path,
    sizeBytes: ref.sizeBytes,
    updatedAt: last.updatedAt ?? new Date(ref.modifiedMs).toISOString(),
    state: last.state === "waiting" && last.isClosed ? "ended" : (last.state ?? "unknown"),
  };
  if (createdAt !== undefined) told.createdAt = createdAt;
  if (title !== "") {
    told.title = title;
    // Without a name of its own the program takes the prompt it was started with.
    told.titled = named !== undefined && (named.byHand || title !== first.prompt);
  }
  if (cwd !== undefined) {
    told.cwd = cwd;
    told.cwdExists = folderExists(cwd);
    told.project = { name: basename(cwd), path: cwd };
  }
  if (isObject(git)) told.git = git;
  if (model !== undefined) told.model = model;
  if (version !== undefined) told.version = version;
  if (first.header === undefined) told.problem = "The record of the session's start is missing.";
  return told;
}
