import { closeSync, readSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { namesIn } from "../../../base/folders.ts";
import { asString, isObject, parseObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import { openForReading, readRegular } from "../../../base/open-file.ts";
import { typedText } from "../typed-text.ts";

/** A subagent's transcript. */
export interface Subagent {
  readonly session: string;
  readonly path: string;
  readonly call?: string;
  readonly name?: string;
  readonly description?: string;
  readonly status?: string;
}

const transcriptName = /^agent-([A-Za-z0-9_-]{1,128})\.jsonl$/;

/** The subagents whose transcripts lie in the session's own folder. */
export function subagentsIn(sideFolder: string): readonly Subagent[] {
  const folder = join(sideFolder, "subagents");
  return namesIn(folder).flatMap((name) => {
    const session = transcriptName.exec(name)?.[1];
    if (session === undefined) return [];
    const path = join(folder, name);
    return [{ session, path, ...linkOf(path.replace(/\.jsonl$/, ".meta.json")) }];
  });
}

/** The subagents of a session whose transcripts lie beside it, as version 2.0 wrote them. */
export function subagentsBeside(transcript: string, session: string): readonly Subagent[] {
  return besideIn(dirname(transcript)).get(session) ?? [];
}

// All sessions of a folder ask the same; the folder's time says when a transcript came or went.
let known: { folder: string; modifiedMs: number; subagents: Map<string, Subagent[]> } | undefined;

function besideIn(folder: string): ReadonlyMap<string, readonly Subagent[]> {
  const modifiedMs = modified(folder);
  if (known?.folder === folder && known.modifiedMs === modifiedMs) return known.subagents;
  const subagents = new Map<string, Subagent[]>();
  for (const name of namesIn(folder)) {
    const session = transcriptName.exec(name)?.[1];
    if (session === undefined) continue;
    const path = join(folder, name);
    for (const parent of parentsOf(path)) {
      subagents.set(parent, [...(subagents.get(parent) ?? []), { session, path }]);
    }
  }
  // Where the time is not known, nor is whether it will change.
  if (!Number.isNaN(modifiedMs)) known = { folder, modifiedMs, subagents };
  return subagents;
}

function modified(folder: string): number {
  try {
    return statSync(folder).mtimeMs;
  } catch {
    return Number.NaN;
  }
}

function linkOf(metaFile: string): Omit<Subagent, "session" | "path"> {
  let meta: ReturnType<typeof parseObject>;
  try {
    const stat = statSync(metaFile, { throwIfNoEntry: false });
    if (stat === undefined || !stat.isFile() || stat.size > limits.headBytesMax) return {};
    meta = parseObject(readRegular(metaFile).toString("utf8"));
  } catch {
    // Without its link the subagent is still read, only not told at its call.
    return {};
  }
  const call = asString(meta?.["toolUseId"]);
  const name = asString(meta?.["agentType"]);
  const description = asString(meta?.["description"]);
  return {
    ...(call !== undefined && { call }),
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(meta?.["finished"] === true && { status: "finished" }),
  };
}

/** The sessions a transcript's first records name; the program's warm-ups belong to nobody. */
function parentsOf(path: string): ReadonlySet<string> {
  const head = Buffer.alloc(limits.headBytes);
  let length: number;
  try {
    const fd = openForReading(path);
    try {
      length = readSync(fd, head, 0, head.length, 0);
    } finally {
      closeSync(fd);
    }
  } catch {
    return new Set();
  }
  const text = head.toString("utf8", 0, length);
  const message = parseObject(text.split("\n", 1)[0] ?? "")?.["message"];
  const said = isObject(message) ? asString(message["content"]) : undefined;
  if (said !== undefined && typedText(said) === "Warmup") return new Set();
  return new Set(Array.from(text.matchAll(/"sessionId":"([^"]{1,128})"/g), ([, id]) => id!));
}
