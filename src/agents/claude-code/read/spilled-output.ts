import { lstatSync } from "node:fs";
import { basename, join, win32 } from "node:path";
import { asString, isObject } from "../../../base/json.ts";
import { blocksOf, type Content, plainText } from "../../../model/block.ts";

const stub = "<persisted-output>";
const savedTo = /saved to: ([^\n]{1,4096})/;
const safeName = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;

/**
 * The structured part of a tool's result. Where the output was moved to a file of its own, `spilled`
 * says where that lies now: by its checked name in the session's own folder, never by a path the
 * transcript names.
 */
export function resultDetails(content: Content, details: unknown, sideFolder: string): unknown {
  const named = spillName(content, details);
  if (named === undefined) return details;
  const path = join(sideFolder, "tool-results", named);
  const sizeBytes = fileSize(path);
  const spilled = {
    path,
    exists: sizeBytes !== undefined,
    ...(sizeBytes !== undefined && { sizeBytes }),
  };
  if (isObject(details)) return { ...details, spilled };
  return details === undefined ? { spilled } : { result: details, spilled };
}

function spillName(content: Content, details: unknown): string | undefined {
  const told = isObject(details) ? asString(details["persistedOutputPath"]) : undefined;
  const path = told ?? stubPath(content);
  if (path === undefined) return undefined;
  // The session may come from another platform: both separators end a folder.
  const name = win32.basename(basename(path.trim()));
  return safeName.test(name) ? name : undefined;
}

function stubPath(content: Content): string | undefined {
  const [first] = blocksOf(content);
  if (first?.type !== "text" || first.text.slice(0, stub.length) !== stub) return undefined;
  return savedTo.exec(plainText(content).slice(0, 8192))?.[1];
}

function fileSize(path: string): number | undefined {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat?.isFile() === true ? stat.size : undefined;
  } catch {
    // A folder we may not look into holds nothing for us.
    return undefined;
  }
}
