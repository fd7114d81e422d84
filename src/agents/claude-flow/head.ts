import { dirname } from "node:path";
import { isoTime } from "../../base/clock.ts";
import { smallFile } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
import { checkReadable } from "../../base/open-file.ts";
import type { Damage } from "../../model/damage.ts";
import type { SessionHead } from "../../model/head.ts";
import type { SessionRef } from "../contract.ts";
import {
  type DocumentFacts,
  type DocumentPart,
  documentHead,
  documentText,
  problemOfDamage,
} from "../document.ts";
import { headOfFile, unreadHead } from "../session-file.ts";
import { entriesIn } from "./entries.ts";
import { checkpointFiles } from "./locate.ts";
import { checkpointPart } from "./read/checkpoint-part.ts";
import { hiveParts } from "./read/hive-parts.ts";
import { storeContent } from "./read/store-content.ts";
import { tasksContent } from "./read/tasks-content.ts";
import { isEncrypted, sessionIn } from "./saved-session.ts";

/** What a store reports itself; undefined if it is empty, or none of the program's. */
export function head(ref: SessionRef): SessionHead | undefined {
  const { part, path } = ref;
  if (part === undefined && ref.root === undefined && !/[/\\]\.claude-flow[/\\]/.test(path))
    return undefined;
  if (part === "memory" || part === "hive" || part === "checkpoints") {
    try {
      checkReadable(path);
      const facts = tableFacts(path, part);
      return facts && documentHead(ref, facts);
    } catch (error) {
      return unreadHead(ref, error);
    }
  }
  return headOfFile(ref, (fd) => {
    const { text, damage } = documentText(fd, path);
    const facts =
      part === "store" || part === "tasks" ? contentFacts(text, part) : sessionFacts(text);
    if (facts === undefined) return undefined;
    return documentHead(ref, { ...problemOfDamage(damage), ...facts });
  });
}

function tableFacts(
  path: string,
  part: "memory" | "hive" | "checkpoints",
): DocumentFacts | undefined {
  const damage: Damage[] = [];
  const onDamage = (one: Damage): void => void damage.push(one);
  const parts =
    part === "memory"
      ? memoryLines(path, onDamage)
      : part === "hive"
        ? [...hiveParts(path, onDamage)]
        : checkpointFiles(dirname(path)).flatMap((file) => {
            const text = smallFile(file, limits.documentBytes) ?? "";
            return checkpointPart(file, text, onDamage) ?? [];
          });
  const [first] = parts;
  const last = parts.at(-1);
  if (last === undefined && damage.length === 0) return undefined;
  const kind = part === "memory" ? "memory" : "state";
  const noun = { memory: "entry", hive: "row", checkpoints: "checkpoint" }[part];
  const title = `${firstLine(last)} · ${counted(parts.length, noun)}`;
  const times = parts.flatMap(({ at }) => at ?? []).sort();
  return {
    kind,
    title: first === undefined ? part : title,
    createdAt: times[0],
    updatedAt: times.at(-1),
    ...problemOfDamage(damage),
  };
}

/** Only what a title is made of is held of each entry. */
function memoryLines(path: string, onDamage: (damage: Damage) => void): readonly DocumentPart[] {
  const lines: DocumentPart[] = [];
  for (const { key, at } of entriesIn(path, onDamage))
    lines.push({ at, body: { type: "note", content: key } });
  return lines;
}

function firstLine(part: DocumentPart | undefined): string {
  const body = part?.body;
  if (body?.type === "checkpoint") return body.label ?? "";
  if (body?.type === "task") return body.title ?? "";
  const content = body !== undefined && "content" in body ? body.content : "";
  return typeof content === "string" ? (content.split("\n")[0] ?? "") : "";
}

function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`.replace(/ys$/, "ies")}`;
}

function contentFacts(text: string, part: "store" | "tasks"): DocumentFacts | undefined {
  const { parts, damage = [] } = part === "store" ? storeContent(text) : tasksContent(text);
  if (parts.length === 0 && damage.length === 0) return undefined;
  const noun = part === "store" ? "entry" : "task";
  const title = `${firstLine(parts.at(-1))} · ${counted(parts.length, noun)}`;
  const updatedAt = parts
    .flatMap(({ at }) => at ?? [])
    .sort()
    .at(-1);
  const kind = part === "store" ? "memory" : "state";
  return { kind, title, updatedAt, ...problemOfDamage(damage) };
}

function sessionFacts(text: string): DocumentFacts | undefined {
  if (isEncrypted(text))
    return { kind: "state", problem: "The program encrypted it; only the program can read it." };
  const session = sessionIn(text);
  if (session === undefined) return undefined;
  const { id, name, description, createdAt, updatedAt, cwd, damage } = session;
  const isChanged = damage.some(({ kind }) => kind === "bad_sum");
  return {
    ...(id !== "" && { session: id }),
    kind: "state",
    title: [name, description].filter(Boolean).join(": "),
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
    ...(cwd !== undefined && { cwd }),
    ...problemOfDamage(damage),
    ...(isChanged && { problem: "Its checksum says that the state was changed." }),
  };
}
