import { createHash } from "node:crypto";
import { asCount, asString, isObject, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import type { ProjectIdentity } from "../../model/event.ts";
import { eventOfFact, factOfEvent, type MemoryFact } from "../fact.ts";
import type { Namespace } from "../namespace.ts";

/*
 * A backup is a file of lines, each with the SHA-256 of what it says: a damaged line costs itself alone. The last line has
 * the SHA-256 of all bytes before it, so that a line that is missing is noticed too.
 */

/** What one line of a backup says. */
export type BackupLine =
  | { readonly kind: "backup"; readonly version: 1; readonly createdAt: string }
  | ({ readonly kind: "namespace" } & Namespace)
  | {
      readonly kind: "fact";
      /** The file of the namespace it belongs to. */
      readonly namespace: string;
      readonly at: string;
      readonly fact: MemoryFact;
    }
  | { readonly kind: "end"; readonly lines: number; readonly sha256: string };

/** The line of a file that says something, with its sum. */
export function encodeLine(line: BackupLine): string {
  const { kind } = line;
  const said =
    kind === "fact"
      ? { kind, namespace: line.namespace, at: line.at, event: eventOfFact(line.fact) }
      : line;
  const text = JSON.stringify(said);
  return `{"sum":"${sumOf(text)}","line":${text}}\n`;
}

const shape = /^\{"sum":"([0-9a-f]{64})","line":(\{.*\})\}$/s;

/** What a line of a file says; undefined if it is damaged. */
export function decodeLine(text: string): BackupLine | undefined {
  const [, sum, said] = shape.exec(text) ?? [];
  if (said === undefined || sumOf(said) !== sum) return undefined;
  const line = parseObject(said, said.length);
  switch (line?.["kind"]) {
    case "backup": {
      const createdAt = asString(line["createdAt"]);
      return line["version"] === 1 && createdAt !== undefined
        ? { kind: "backup", version: 1, createdAt }
        : undefined;
    }
    case "namespace":
      return namespaceLine(line);
    case "fact":
      return factLine(line);
    case "end": {
      const [lines, sha256] = [asCount(line["lines"]), asString(line["sha256"])];
      return lines === undefined || sha256 === undefined
        ? undefined
        : { kind: "end", lines, sha256 };
    }
    default:
      return undefined;
  }
}

/** A name of a log that this program makes; anything else could be a path to somewhere. */
const logName = /^(?:user|(?:project|named)-[a-z0-9-]{1,100})$/;

function namespaceLine(line: Readonly<Record<string, unknown>>): BackupLine | undefined {
  const [name, file] = [asString(line["name"]), asString(line["file"])];
  if (name === undefined || file === undefined || !logName.test(file)) return undefined;
  if (name === "" || name.length > limits.memoryKeyChars) return undefined;
  const project = projectIn(line["project"]);
  return { kind: "namespace", name, file, ...(project !== undefined && { project }) };
}

function projectIn(given: unknown): ProjectIdentity | undefined {
  if (!isObject(given)) return undefined;
  const text = (name: string): string | undefined => asString(given[name]);
  const [name, path, remote, rootCommit] = ["name", "path", "remote", "rootCommit"].map(text);
  if (name === undefined || path === undefined) return undefined;
  return {
    name,
    path,
    ...(remote !== undefined && { remote }),
    ...(rootCommit !== undefined && { rootCommit }),
  };
}

function factLine(line: Readonly<Record<string, unknown>>): BackupLine | undefined {
  const [namespace, at] = [asString(line["namespace"]), asString(line["at"])];
  const event = line["event"];
  if (namespace === undefined || at === undefined || Number.isNaN(Date.parse(at))) return undefined;
  const fact = isObject(event)
    ? factOfEvent(asString(event["name"]) ?? "", event["data"])
    : undefined;
  return fact && { kind: "fact", namespace, at, fact };
}

function sumOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
