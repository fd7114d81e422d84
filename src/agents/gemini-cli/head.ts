import { closeSync, fstatSync, openSync } from "node:fs";
import { basename, dirname } from "node:path";
import { timeOf } from "../../base/clock.ts";
import { exists } from "../../base/disk.ts";
import type { Environment } from "../../base/env.ts";
import { asString, type JsonObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import type { SessionHead } from "../../model/head.ts";
import { oneLine } from "../../model/text.ts";
import type { SessionRef } from "../contract.ts";
import { projectFolder } from "./checkpoints.ts";
import { Glance } from "./glance.ts";
import { glanceArray } from "./head-array.ts";
import { glanceLines } from "./head-lines.ts";
import {
  geminiRoot,
  learnProjects,
  projectByHash,
  projectOf,
  registeredProjects,
} from "./projects.ts";
import { isSavedChat } from "./read.ts";
import { checkpointForm, sessionForm } from "./read-array.ts";

/** What a list shows of a session; undefined for a file that holds nothing but context the program put there. */
export function head(ref: SessionRef, env: Environment): SessionHead | undefined {
  let fd: number;
  try {
    fd = openSync(ref.path, "r");
  } catch {
    return undefined;
  }
  try {
    if (!fstatSync(fd).isFile()) return undefined;
    return headOf(fd, ref, env);
  } catch {
    // The file was taken away or the disk does not answer: nothing can be told.
    return undefined;
  } finally {
    closeSync(fd);
  }
}

function headOf(fd: number, ref: SessionRef, env: Environment): SessionHead | undefined {
  const { size, mtimeMs } = fstatSync(fd);
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
  const modifiedAt = new Date(mtimeMs).toISOString();
  const createdAt = timeField(header?.["startTime"]);
  const updatedAt = timeField(glance.updatedAt) ?? timeField(header?.["lastUpdated"]) ?? modifiedAt;
  const subagent = header?.["kind"] === "subagent" || ref.part === "subagent";
  return {
    agent: "gemini-cli",
    session: (saved ? undefined : asString(header?.["sessionId"])) ?? ref.session,
    path: ref.path,
    sizeBytes: size,
    ...(createdAt === undefined ? {} : { createdAt }),
    updatedAt: saved ? modifiedAt : updatedAt,
    ...titleOf(glance, { tag: saved ? ref.part : undefined, subagent }),
    ...placeOf(ref, env, header),
    ...(glance.model === undefined ? {} : { model: glance.model }),
    state: glance.state ?? "unknown",
    ...(glance.usage === undefined ? {} : { usage: glance.usage }),
    ...(subagent
      ? { relation: { kind: "subagent", session: basename(dirname(ref.path)) } as const }
      : {}),
    ...(header === undefined && !saved ? { problem: "The header is missing or damaged." } : {}),
  };
}

/** Resuming an old session writes a line file of the same name beside it and goes on there. */
function wentOnAsLines(ref: SessionRef, env: Environment): boolean {
  const path = `${ref.path}l`;
  return exists(path) && head({ ...ref, path }, env) !== undefined;
}

function titleOf(
  glance: Glance,
  options: { readonly tag: string | undefined; readonly subagent: boolean },
): { readonly title?: string; readonly titled?: boolean } {
  const { tag, subagent } = options;
  // A subagent's summary is its report, not its name.
  const given = tag ?? (subagent ? undefined : glance.summary);
  const title = oneLine(given ?? glance.prompt ?? glance.command ?? "", limits.titleChars);
  return title === "" ? {} : { title, titled: given !== undefined };
}

function placeOf(
  ref: SessionRef,
  env: Environment,
  header: JsonObject | undefined,
): Pick<SessionHead, "project" | "cwd" | "cwdExists"> {
  const root = ref.root ?? geminiRoot(env);
  const hash = asString(header?.["projectHash"]);
  learnProjects([env.cwd]);
  const folder = projectFolder(ref.path);
  const path =
    projectOf(folder, new Map()) ??
    projectOf(folder, registeredProjects(root)) ??
    (hash === undefined ? undefined : projectByHash(hash));
  if (path === undefined) return {};
  return { project: { name: basename(path), path }, cwd: path, cwdExists: exists(path) };
}

function timeField(value: unknown): string | undefined {
  const ms = timeOf(value);
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
