import { basename } from "node:path";
import { ByteWindow } from "../../base/byte-window.ts";
import { folderExists } from "../../base/folders.ts";
import { asString, isObject, type JsonObject, parseObjectBytes } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { findArray, nextElement, resync } from "../../json/array-elements.ts";
import type { SessionHead, SessionState } from "../../model/head.ts";
import { oneLine } from "../../model/text.ts";
import { titleOfPrompt } from "../../model/title.ts";
import type { SessionRef } from "../contract.ts";
import { headOfFile } from "../session-file.ts";
import { agentName } from "./locate.ts";
import {
  blocksIn,
  folderOf,
  messagesForm,
  modelOf,
  momentOf,
  msOf,
  outerFields,
  versionOf,
} from "./thread.ts";

const tailLook = limits.tailBytes * 16;

/** What the first and last bytes of a thread tell; undefined if the file is not a thread. */
export function head(ref: SessionRef): SessionHead | undefined {
  return headOfFile(ref, (fd) => {
    const window = new ByteWindow(fd, ref.sizeBytes);
    const fields = outerFields(window);
    const prompt = firstPrompt(window);
    const last = lastMessages(window);
    if (asString(fields["id"]) === undefined && prompt === undefined && last.length === 0)
      return undefined;
    return headOf(ref, { fields, prompt, last });
  });
}

interface Facts {
  readonly fields: JsonObject;
  readonly prompt: string | undefined;
  /** The newest first. */
  readonly last: readonly JsonObject[];
}

function headOf(ref: SessionRef, { fields, prompt, last }: Facts): SessionHead {
  const cwd = folderOf(fields);
  const named = asString(fields["title"]);
  const title = named ?? prompt;
  const createdMs = msOf(fields["created"]);
  const saidMs = last.map(momentOf).find((ms) => ms !== undefined);
  const usage = last.map((message) => message["usage"]).find(isObject);
  const model = asString(usage?.["model"]) ?? modelOf(fields);
  const version = versionOf(fields);
  return {
    agent: agentName,
    // By the name of its file: that is where the program looks for it.
    session: ref.session,
    path: ref.path,
    sizeBytes: ref.sizeBytes,
    ...(createdMs !== undefined && { createdAt: new Date(createdMs).toISOString() }),
    updatedAt: new Date(saidMs ?? ref.modifiedMs).toISOString(),
    ...(title !== undefined && {
      title: oneLine(title, limits.titleChars),
      titled: named !== undefined,
    }),
    ...(cwd !== undefined && {
      cwd,
      cwdExists: folderExists(cwd),
      project: { name: basename(cwd), path: cwd },
    }),
    ...(model !== undefined && { model }),
    ...(version !== undefined && { version }),
    state: stateOf(last[0]),
  };
}

function stateOf(last: JsonObject | undefined): SessionState {
  if (last === undefined) return "unknown";
  const state = isObject(last["state"]) ? last["state"] : {};
  const isOver = last["role"] === "assistant" && state["stopReason"] !== "tool_use";
  return isOver && state["type"] === "complete" ? "waiting" : "interrupted";
}

/** The first words a person typed, for a title. */
function firstPrompt(whole: ByteWindow): string | undefined {
  const window = new ByteWindow(whole.fd, Math.min(whole.end, limits.headBytesMax));
  for (const message of elementsFrom(
    window,
    findArray(window, { from: 0, paths: messagesForm.paths }),
  )) {
    if (message["role"] !== "user") continue;
    for (const block of blocksIn(message)) {
      const title = titleOfPrompt(asString(block["text"]) ?? "");
      if (title !== "") return title;
    }
  }
  return undefined;
}

/** The messages that the last bytes hold, the newest first, without what the program noted for itself. */
function lastMessages(window: ByteWindow): readonly JsonObject[] {
  const from = Math.max(0, window.end - tailLook);
  const { shape } = messagesForm;
  const late = [...elementsFrom(window, resync(window, { from, shape }))];
  return late.filter(({ role }) => role === "user" || role === "assistant").reverse();
}

function* elementsFrom(window: ByteWindow, begin: number | undefined): Generator<JsonObject> {
  let position = begin;
  while (position !== undefined) {
    const step = nextElement(window, position);
    if (step.kind !== "element") return;
    const element = parseObjectBytes(window.range(step.offset, step.length));
    if (element !== undefined) yield element;
    position = step.offset + step.length;
  }
}
