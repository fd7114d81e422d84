import { posix } from "node:path";
import { limits } from "../../base/limits.ts";
import type { EventBody } from "../../model/event.ts";
import type { ToolDialect } from "../../model/tool-dialect.ts";
import { callActs, pathGiven } from "./call-acts.ts";

/**
 * The files an event works on, as it names them, with `/` between their parts: those a call reads, edits or writes, and
 * the path it is given for anything else. A file that is only mentioned is none of them.
 */
export function callFiles(body: EventBody, dialect: ToolDialect | undefined): readonly string[] {
  if (body.type === "file") return [asNamed(body.path)];
  if (body.type !== "tool_use") return [];
  const acts = callActs(body, dialect === undefined ? [] : [dialect]);
  const named = acts.flatMap(({ path, movedTo, folder = "" }) =>
    [path, movedTo].flatMap((one) => (one === undefined ? [] : [inFolder(folder, one)])),
  );
  const paths = new Set([...named, pathGiven(body.input) ?? ""].map(asNamed));
  return [...paths].filter((path) => path !== "" && path.length <= limits.pathChars);
}

/** A path with `/` between its parts, and without steps that lead nowhere. */
export function asNamed(path: string): string {
  return path === "" ? "" : posix.normalize(path.replaceAll("\\", "/"));
}

/** Whether a path says where it begins, on any system. */
export function isWhole(path: string): boolean {
  return /^(?:\/|[A-Za-z]:\/)/.test(path);
}

function inFolder(folder: string, path: string): string {
  return folder === "" || isWhole(asNamed(path)) ? path : `${folder}/${path}`;
}
