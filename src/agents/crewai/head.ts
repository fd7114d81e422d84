import { asString, parseObject } from "../../base/json.ts";
import { checkReadable } from "../../base/open-file.ts";
import type { Damage } from "../../model/damage.ts";
import type { SessionHead } from "../../model/head.ts";
import { tableRows } from "../../sqlite/table-rows.ts";
import type { SessionRef } from "../contract.ts";
import { type DocumentFacts, documentHead, problemOfDamage } from "../document.ts";
import { unreadHead } from "../session-file.ts";
import {
  checkpointFiles,
  checkpointFolder,
  checkpointRows,
  lineagesOf,
  newestOf,
} from "./checkpoint-list.ts";
import { flowsIn, type ListedFlow } from "./flows.ts";
import { partOf } from "./part.ts";
import { contentOfFile, contentOfRow, labelOf } from "./read/checkpoint-content.ts";
import { longTermMemories, taskOutputs, textIn } from "./stores.ts";
import { momentOf, momentOfId, momentOfSeconds } from "./times.ts";
import { unreadNote } from "./vectors.ts";

/** What the newest row or checkpoint says; undefined if there is none. */
export function head(ref: SessionRef): SessionHead | undefined {
  const { kind, id } = partOf(ref);
  // A store's file alone says of none of its sessions; one that could not be listed says why.
  if (kind === "" && ref.root === undefined) return undefined;
  try {
    checkReadable(ref.path);
    const facts = factsOf(ref, kind, id);
    return facts && { ...documentHead(ref, facts), titled: false };
  } catch (error) {
    return unreadHead(ref, error);
  }
}

function factsOf(ref: SessionRef, kind: string, id: string): DocumentFacts | undefined {
  switch (kind) {
    case "flow":
      return flowFacts(ref.path, id);
    case "kickoff":
      return kickoffFacts(ref.path);
    case "memory":
      return memoryFacts(ref.path);
    case "checkpoints":
    case "files":
      return checkpointFacts(ref.path, kind === "files", id);
    case "vectors":
      return { kind: "memory", title: unreadNote(ref.path) };
    default:
      return { kind: "state", problem: "The database cannot be read." };
  }
}

function flowFacts(path: string, id: string): DocumentFacts | undefined {
  const list = flowsIn(path);
  const flow = list?.flows.get(id);
  if (flow === undefined) return undefined;
  return {
    kind: "state",
    title: titleOf(flow),
    createdAt: flow.begunAt,
    updatedAt: flow.at,
    ...(flow.isPending && { state: "waiting" as const }),
    ...problemOfDamage(list?.damage ?? []),
  };
}

/** The first words of the state besides its id, and the last method. */
function titleOf({ state, method, steps }: ListedFlow): string {
  const named = ["title", "name", "topic", "subject", "goal"].map((key) => asString(state[key]));
  const texts = Object.entries(state).map(([key, value]) =>
    key === "id" || typeof value !== "string" ? undefined : value,
  );
  const said = [...named, ...texts].find((text) => text !== undefined && text !== "");
  return `${said ?? "Flow"} · ${method} (${steps})`;
}

function kickoffFacts(path: string): DocumentFacts | undefined {
  const damage: Damage[] = [];
  let tasks = 0;
  let first: string | undefined;
  let updatedAt: string | undefined;
  for (const { row } of tableRows(path, taskOutputs, (one) => damage.push(one)) ?? []) {
    tasks += 1;
    first ??= asString(parseObject(asString(row["output"]) ?? "")?.["description"]);
    updatedAt = momentOf(row["timestamp"]) ?? updatedAt;
  }
  if (tasks === 0 && damage.length === 0) return undefined;
  const title = `${first ?? "Last run"} · ${tasks === 1 ? "1 task" : `${tasks} tasks`}`;
  return { kind: "state", title, updatedAt, ...problemOfDamage(damage) };
}

function memoryFacts(path: string): DocumentFacts | undefined {
  const damage: Damage[] = [];
  let entries = 0;
  let last: string | undefined;
  let updatedAt: string | undefined;
  for (const { row } of tableRows(path, longTermMemories, (one) => damage.push(one)) ?? []) {
    entries += 1;
    last = textIn(row, "task_description") ?? last;
    updatedAt = momentOfSeconds(row["datetime"]) ?? updatedAt;
  }
  if (entries === 0 && damage.length === 0) return undefined;
  const title = `${last ?? "Long-term memory"} · ${entries === 1 ? "1 entry" : `${entries} entries`}`;
  return { kind: "memory", title, updatedAt, ...problemOfDamage(damage) };
}

function checkpointFacts(path: string, isFiles: boolean, root: string): DocumentFacts | undefined {
  const rows = isFiles ? undefined : checkpointRows(path);
  const places = isFiles ? checkpointFiles(checkpointFolder(path)) : (rows?.places ?? []);
  const lineage = lineagesOf(places).find((one) => one.root === root);
  const newest = lineage && newestOf(lineage.places);
  if (newest === undefined) return undefined;
  const content =
    newest.path === undefined ? contentOfRow(path, newest.id) : contentOfFile(newest.path);
  const isBroken = content === undefined || content.isDamaged;
  return {
    kind: "state",
    title: content === undefined ? newest.id : labelOf(newest.branch, content),
    createdAt: momentOfId(root),
    updatedAt: momentOfId(newest.id),
    ...(isBroken && { problem: "The newest checkpoint is damaged." }),
    ...problemOfDamage(rows?.damage ?? []),
  };
}
