import { dirname, join } from "node:path";
import { fileStat, smallFile } from "../../../base/folders.ts";
import { limits } from "../../../base/limits.ts";
import type { SessionRef } from "../../contract.ts";

/** The name a session has, and whether a person gave it. */
export interface WorkspaceName {
  readonly name: string;
  readonly byHand: boolean;
}

/** What the file beside a session's events calls it; undefined if there is none. */
export function workspaceName(ref: SessionRef): WorkspaceName | undefined {
  const path = workspacePath(ref);
  const text = path === undefined ? undefined : smallFile(path, limits.headBytesMax);
  if (text === undefined) return undefined;
  const name = scalarOf(text, "name") || scalarOf(text, "summary");
  if (!name) return undefined;
  return { name, byHand: /^user_named:\s*true\s*$/m.test(text) };
}

/** The folder that the file beside a session's events says it ran in. */
export function workspaceFolder(ref: SessionRef): string | undefined {
  const path = workspacePath(ref);
  const text = path === undefined ? undefined : smallFile(path, limits.headBytesMax);
  return text === undefined ? undefined : scalarOf(text, "cwd");
}

/** The name alone. */
export function nameOf(ref: SessionRef): string | undefined {
  return workspaceName(ref)?.name;
}

/** A text that differs when the file does; undefined if it is not there. */
export function workspaceStamp(ref: SessionRef): string | undefined {
  const path = workspacePath(ref);
  const stat = path === undefined ? undefined : fileStat(path);
  return stat && `${stat.sizeBytes} ${stat.modifiedMs}`;
}

/** Only a session that has a folder of its own has such a file. */
function workspacePath({ path, session }: SessionRef): string | undefined {
  return path.endsWith(`${session}.jsonl`) ? undefined : join(dirname(path), "workspace.yaml");
}

/** The text of a key at the left margin of a YAML file: plain, quoted, or a block of indented lines. */
function scalarOf(yaml: string, key: string): string | undefined {
  const found = new RegExp(
    `^${key}:[ \\t]*(.*)$((?:\\r?\\n[ \\t]+.*|\\r?\\n(?=\\r?\\n[ \\t]))*)`,
    "m",
  ).exec(yaml);
  if (found === null) return undefined;
  const [, first = "", rest = ""] = found;
  const value = first.trim();
  const folded = rest.trim().replace(/\s*\r?\n\s*/g, " ");
  if (/^[|>][+-]?\d?$/.test(value)) return folded;
  const whole = folded === "" ? value : `${value} ${folded}`;
  if (whole.startsWith('"')) return unquoted(whole);
  if (/^'.*'$/.test(whole)) return whole.slice(1, -1).replaceAll("''", "'");
  return /^(?:null|~)?$/.test(whole) ? undefined : whole;
}

/** A text in double quotes; YAML knows a few escapes that JSON does not, which stay as they are. */
function unquoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text.replace(/^"|"$/g, "");
  }
}
