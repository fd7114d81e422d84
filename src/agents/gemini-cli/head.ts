import { basename, dirname } from "node:path";
import { timeOf } from "../../base/clock.ts";
import type { Environment } from "../../base/env.ts";
import { fileStat, folderExists } from "../../base/folders.ts";
import { asString, type JsonObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { readOpen } from "../../base/open-file.ts";
import { timeIn } from "../../jsonl/text-window.ts";
import type { SessionHead } from "../../model/head.ts";
import { type Opening, opened, openingOf } from "../../model/opening.ts";
import { oneLine } from "../../model/text.ts";
import type { SessionRef } from "../contract.ts";
import { checkpointForm, isSavedChat, sessionForm } from "./array-form.ts";
import { projectFolder } from "./checkpoints.ts";
import { Glance } from "./glance.ts";
import { glanceArray } from "./head-array.ts";
import { beginning, glanceLines } from "./head-lines.ts";
import { learnProjects, ownerOf, projectByHash } from "./projects.ts";
import { geminiRoot } from "./roots.ts";

/** What a list shows of a session; undefined for a file that holds nothing but context the program put there. */
export function head(ref: SessionRef, env: Environment): SessionHead | undefined {
  // Where the file was taken away or the disk does not answer, nothing can be told.
  return readOpen(ref.path, (fd) => headOf(fd, ref, env), undefined);
}

function headOf(fd: number, ref: SessionRef, env: Environment): SessionHead | undefined {
  const { sizeBytes: size } = ref;
  const glance = new Glance();
  const saved = isSavedChat(ref.path);
  let header: JsonObject | undefined;
  if (saved || ref.path.endsWith(".json")) {
    const seen = glanceArray(fd, { size, glance, form: saved ? checkpointForm : sessionForm });
    header = seen.header;
    if (saved ? seen.messages === 0 : !glance.isSession) return undefined;
    if (!saved && wentOnAsLines(ref, env)) return undefined;
  } else {
    const seen = glanceLines(fd, { size, glance });
    header = seen.header;
    if (!glance.isSession && (seen.seenAll || header === undefined)) return undefined;
  }
  const createdAt = timeField(header?.["startTime"]);
  const told = saved ? undefined : (glance.updatedAt ?? header?.["lastUpdated"]);
  const updatedAt = timeField(told) ?? new Date(ref.modifiedMs).toISOString();
  const subagent = isSubagent(ref, header);
  // Assigned one by one: a list makes thousands of these.
  const head: { -readonly [Key in keyof SessionHead]: SessionHead[Key] } = {
    agent: "gemini-cli",
    session: (saved ? undefined : asString(header?.["sessionId"])) ?? ref.session,
    path: ref.path,
    sizeBytes: size,
    updatedAt,
    state: glance.state ?? "unknown",
  };
  if (createdAt !== undefined) head.createdAt = createdAt;
  // A subagent's summary is its report, not its name.
  const given = saved ? ref.part : subagent ? undefined : glance.summary;
  const title = oneLine(given ?? glance.prompt ?? glance.command ?? "", limits.titleChars);
  if (title !== "") {
    head.title = title;
    head.titled = given !== undefined;
  }
  const cwd = projectPath(ref, env, header);
  if (cwd !== undefined) {
    head.project = { name: basename(cwd), path: cwd };
    head.cwd = cwd;
    head.cwdExists = folderExists(cwd);
  }
  if (glance.model !== undefined) head.model = glance.model;
  if (glance.usage !== undefined) head.usage = glance.usage;
  if (subagent) head.relation = { kind: "subagent", session: basename(dirname(ref.path)) };
  if (header === undefined && !saved) head.problem = "The header is missing or damaged.";
  return head;
}

/** What the first lines tell; where they do not say that it is a session, the whole head is asked. */
export function opening(ref: SessionRef, env: Environment): Opening | undefined {
  if (!ref.path.endsWith(".jsonl")) return openingOf(head(ref, env));
  const read = (fd: number): Opening | undefined => {
    const header = beginning(fd, ref.sizeBytes);
    if (header === undefined) return openingOf(head(ref, env));
    const subagent = isSubagent(ref, header);
    const cwd = projectPath(ref, env, header);
    return opened(asString(header["sessionId"]) ?? ref.session, { cwd, subagent });
  };
  return readOpen(ref.path, read, undefined);
}

function isSubagent(ref: SessionRef, header: JsonObject | undefined): boolean {
  return header?.["kind"] === "subagent" || ref.part === "subagent";
}

/** Resuming an old session writes a line file of the same name beside it and goes on there. */
function wentOnAsLines(ref: SessionRef, env: Environment): boolean {
  const path = `${ref.path}l`;
  const stat = fileStat(path);
  return stat !== undefined && head({ ...ref, path, ...stat }, env) !== undefined;
}

function projectPath(
  ref: SessionRef,
  env: Environment,
  header: JsonObject | undefined,
): string | undefined {
  learnProjects([env.cwd]);
  const owner = ownerOf(projectFolder(ref.path), ref.root ?? geminiRoot(env));
  const hash = asString(header?.["projectHash"]);
  return owner ?? (hash === undefined ? undefined : projectByHash(hash));
}

function timeField(value: unknown): string | undefined {
  const written = timeIn(asString(value));
  if (written?.length === 24) return written;
  const ms = timeOf(value);
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
