import { basename } from "node:path";
import type { Environment } from "../../base/env.ts";
import { isRepriseError } from "../../base/errors.ts";
import { folderExists } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
import { plainText } from "../../model/block.ts";
import type { EventBody } from "../../model/event.ts";
import type { SessionHead, SessionState } from "../../model/head.ts";
import { oneLine } from "../../model/text.ts";
import { titleOfPrompt } from "../../model/title.ts";
import { addTo, type MutableUsage } from "../../model/usage.ts";
import { isDatabaseDamage } from "../../sqlite/database.ts";
import type { SessionRef } from "../contract.ts";
import { unreadHead } from "../session-file.ts";
import { agentName } from "./locate.ts";
import { bodiesOf } from "./read/bodies.ts";
import { messagesIn, type Snapshot, snapshotAt } from "./read/snapshot.ts";
import { carvedSource, databaseThread, type ThreadSource } from "./read/thread-source.ts";
import { type ListedThread, threadsIn } from "./thread-list.ts";

/** What the newest checkpoint of a thread says; undefined if the file is not a database of checkpoints. */
export function head(ref: SessionRef, env: Environment): SessionHead | undefined {
  // A thread is a row: a file from elsewhere names none.
  if (ref.part === undefined && ref.root === undefined) return undefined;
  try {
    const list = threadsIn(ref.path);
    const listed = list?.threads.get(ref.part ?? ref.session);
    if (listed === undefined) return undefined;
    const [damage] = list?.damage ?? [];
    const told = headOf(ref, listed, newest(ref, listed, env));
    return damage === undefined
      ? told
      : { ...told, problem: `the database is damaged: ${damage.detail ?? damage.kind}` };
  } catch (error) {
    return unreadHead(ref, error);
  }
}

interface Newest {
  readonly snapshot: Snapshot;
  readonly state: SessionState;
}

function newest(ref: SessionRef, { thread, checkpoint }: ListedThread, env: Environment): Newest {
  const key = env.variables["LANGGRAPH_AES_KEY"];
  const look = (source: ThreadSource): Newest => {
    try {
      const snapshot = snapshotAt(source, { ns: "", id: checkpoint, key });
      return { snapshot, state: stateOf(snapshot, source, checkpoint) };
    } finally {
      source.close();
    }
  };
  try {
    return look(databaseThread(ref.path, thread));
  } catch (error) {
    const isDamage = isRepriseError(error) ? error.code === "damaged" : isDatabaseDamage(error);
    if (!isDamage) throw error;
    return look(carvedSource(ref.path, thread));
  }
}

function headOf(ref: SessionRef, listed: ListedThread, { snapshot, state }: Newest): SessionHead {
  const messages = messagesIn(snapshot);
  const bodies = messages.flatMap(bodiesOf);
  const title = askedFirst(bodies) ?? oneLine(listed.thread, limits.titleChars);
  const usage: MutableUsage = {};
  let model: string | undefined;
  for (const body of bodies) {
    if ("usage" in body && body.usage !== undefined) addTo(usage, body.usage);
    if (body.type === "assistant" && body.model !== undefined) model = body.model;
  }
  const cwd = ref.root;
  return {
    agent: agentName,
    session: listed.thread,
    ...(messages.length === 0 && snapshot.values !== undefined && { kind: "state" as const }),
    path: ref.path,
    sizeBytes: 0,
    updatedAt: new Date(listed.modifiedMs).toISOString(),
    title,
    titled: false,
    ...(cwd !== undefined && {
      cwd,
      cwdExists: folderExists(cwd),
      project: { name: basename(cwd), path: cwd },
    }),
    ...(model !== undefined && { model }),
    state,
    events: listed.checkpoints,
    ...(Object.keys(usage).length > 0 && { usage }),
    ...(snapshot.why !== undefined && { problem: `The newest checkpoint is ${snapshot.why}.` }),
  };
}

/** The first prompt in which a person says something. */
function askedFirst(bodies: readonly EventBody[]): string | undefined {
  for (const body of bodies) {
    const title = body.type === "user" ? titleOfPrompt(plainText(body.content)) : "";
    if (title !== "") return title;
  }
  return undefined;
}

/** An interrupt or an answer waits for a person; an error, a prompt or open calls were left in the middle. */
function stateOf(snapshot: Snapshot, source: ThreadSource, checkpoint: string): SessionState {
  const channels = new Set(source.writes(checkpoint).map(({ channel }) => channel));
  if (channels.has("__error__")) return "interrupted";
  if (channels.has("__interrupt__") && !channels.has("__resume__")) return "waiting";
  const last = messagesIn(snapshot).at(-1);
  if (last === undefined) return "unknown";
  const isOpen =
    last.role !== "assistant" || bodiesOf(last).some(({ type }) => type === "tool_use");
  return isOpen ? "interrupted" : "waiting";
}
