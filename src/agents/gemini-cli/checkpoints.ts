import { dirname, join } from "node:path";
import { namesIn, smallFile } from "../../base/folders.ts";
import { asArray, asString, isObject, type JsonObject, parseObject } from "../../base/json.ts";
import type { SessionRef } from "../contract.ts";
import { sideFileBytes } from "./projects.ts";

/** A file checkpoint: the state before an edit that waited for approval. */
export interface FileCheckpoint {
  readonly path: string;
  /** When it was taken, as its name says. */
  readonly at?: string;
  readonly tool?: string;
  readonly input?: unknown;
  /** The commit in the shadow repository `history/<slug>/.git`. */
  readonly commit?: string;
  /** The session it was taken in. */
  readonly session?: string;
  /** The turns the model had seen, as stored. */
  readonly turns: readonly JsonObject[];
}

/** The file checkpoints of the project a session belongs to, oldest first; unreadable ones have no facts. */
export function* fileCheckpoints(ref: SessionRef): Generator<FileCheckpoint> {
  const folder = join(projectFolder(ref.path), "checkpoints");
  for (const name of namesIn(folder)) {
    if (name.endsWith(".json")) yield checkpointAt(join(folder, name), name);
  }
}

/** The folder below `tmp` that a session file, a subagent's file or a saved chat lies in. */
export function projectFolder(path: string): string {
  const chats = Math.max(path.lastIndexOf("/chats/"), path.lastIndexOf("\\chats\\"));
  return chats < 0 ? dirname(path) : path.slice(0, chats);
}

function checkpointAt(path: string, name: string): FileCheckpoint {
  const value = parseObject(smallFile(path, sideFileBytes) ?? "");
  const call = isObject(value?.["toolCall"]) ? value["toolCall"] : undefined;
  const at = timeIn(name);
  const tool = asString(call?.["name"]);
  const commit = asString(value?.["commitHash"]);
  const session = asString(value?.["messageId"])?.split("########")[0];
  return {
    path,
    ...(at === undefined ? {} : { at }),
    ...(tool === undefined ? {} : { tool }),
    ...(call?.["args"] === undefined ? {} : { input: call["args"] }),
    ...(commit === undefined ? {} : { commit }),
    ...(session === undefined ? {} : { session }),
    turns: asArray(value?.["clientHistory"]).filter(isObject),
  };
}

/** `2026-11-15T18-29-30_899Z-health.js-write_file.json` names the time with dashes. */
function timeIn(name: string): string | undefined {
  const found = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)_(\d{3})Z/.exec(name);
  return found === null
    ? undefined
    : `${found[1]}T${found[2]}:${found[3]}:${found[4]}.${found[5]}Z`;
}
