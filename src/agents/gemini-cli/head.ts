import { basename, dirname } from "node:path";
import { timeOf } from "../../base/clock.ts";
import type { Environment } from "../../base/env.ts";
import { fileStat, folderExists } from "../../base/folders.ts";
import { asString, type JsonObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { timeIn } from "../../jsonl/text-window.ts";
import type { SessionHead } from "../../model/head.ts";
import { type Opening, opened, openingOf } from "../../model/opening.ts";
import { oneLine } from "../../model/text.ts";
import type { SessionRef } from "../contract.ts";
import { headOfFile, openingOfFile } from "../session-file.ts";
import { HeadFacts } from "./head/facts.ts";
import { factsOfJson } from "./head/json-file.ts";
import { factsOfLines, headerOfSession } from "./head/line-file.ts";
import { checkpointForm, isSavedChat, sessionForm } from "./json-forms.ts";
import { learnProjects, ownerOf, projectByHash, projectFolder } from "./projects.ts";
import { geminiRoot } from "./roots.ts";

/** What a list shows of a session; undefined for a file that holds nothing but context the program put there. */
export function head(ref: SessionRef, env: Environment): SessionHead | undefined {
  return headOfFile(ref, (fd) => headOf(fd, ref, env));
}

function headOf(fd: number, ref: SessionRef, env: Environment): SessionHead | undefined {
  const { sizeBytes: size } = ref;
  const facts = new HeadFacts();
  const saved = isSavedChat(ref.path);
  let header: JsonObject | undefined;
  if (saved || ref.path.endsWith(".json")) {
    const seen = factsOfJson(fd, { size, facts, form: saved ? checkpointForm : sessionForm });
    header = seen.header;
    if (saved ? seen.messages === 0 : !facts.isSession) return undefined;
    if (!saved && wentOnAsLines(ref, env)) return undefined;
  } else {
    const seen = factsOfLines(fd, { size, facts });
    header = seen.header;
    if (!facts.isSession && (seen.seenAll || header === undefined)) return undefined;
  }
  const createdAt = timeField(header?.["startTime"]);
  const told = saved ? undefined : (facts.updatedAt ?? header?.["lastUpdated"]);
  const updatedAt = timeField(told) ?? new Date(ref.modifiedMs).toISOString();
  const subagent = isSubagent(ref, header);
  // Assigned one by one: a list makes thousands of these.
  const head: { -readonly [Key in keyof SessionHead]: SessionHead[Key] } = {
    agent: "gemini-cli",
    session: (saved ? undefined : asString(header?.["sessionId"])) ?? ref.session,
    path: ref.path,
    sizeBytes: size,
    updatedAt,
    state: facts.state ?? "unknown",
  };
  if (createdAt !== undefined) head.createdAt = createdAt;
  // A subagent's summary is its report, not its name.
  const given = saved ? ref.part : subagent ? undefined : facts.summary;
  const title = oneLine(given ?? facts.prompt ?? facts.command ?? "", limits.titleChars);
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
  if (facts.model !== undefined) head.model = facts.model;
  if (facts.usage !== undefined) head.usage = facts.usage;
  if (subagent) head.relation = { kind: "subagent", session: basename(dirname(ref.path)) };
  if (header === undefined && !saved) head.problem = "The header is missing or damaged.";
  return head;
}

/** What the first lines tell; where they do not say that it is a session, the whole head is asked. */
export function opening(ref: SessionRef, env: Environment): Opening | undefined {
  if (!ref.path.endsWith(".jsonl")) return openingOf(head(ref, env));
  return openingOfFile(ref, (fd) => {
    const header = headerOfSession(fd, ref.sizeBytes);
    if (header === undefined) return openingOf(head(ref, env));
    const subagent = isSubagent(ref, header);
    const cwd = projectPath(ref, env, header);
    return opened(asString(header["sessionId"]) ?? ref.session, { cwd, subagent });
  });
}

function isSubagent(ref: SessionRef, header: JsonObject | undefined): boolean {
  return header?.["kind"] === "subagent" || ref.part === "subagent";
}

/** Whose folder a session lies in. Not known where only a hash says it, or where an old session may go on elsewhere. */
export function headStamp(ref: SessionRef, env: Environment): string | undefined {
  if (!ref.path.endsWith(".jsonl")) return undefined;
  return ownerOf(projectFolder(ref.path), ref.root ?? geminiRoot(env));
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
