import { closeSync, fstatSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isRepriseError } from "../../../base/errors.ts";
import { sessionIdProblem } from "../../../base/ids.ts";
import { asArray, asString, isObject, type JsonObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import { openForReading } from "../../../base/open-file.ts";
import { isOfSystem } from "../../../base/system-error.ts";
import { parseLine } from "../../../jsonl/parse-line.ts";
import type { Damage } from "../../../model/damage.ts";
import { idsIn, type SessionFiles, sessionFiles } from "../layout.ts";
import { type SessionInfo, sessionOfFile } from "../schema.ts";
import { readJson } from "./side-files.ts";
import {
  addStamps,
  type ReadMessage,
  type ReadParts,
  type Source,
  type Stamp,
  stampModulus,
} from "./source.ts";

/** One session of the JSON files older versions wrote: one for each message and part, in the order of ids. */
export class FileSource implements Source {
  readonly session: SessionInfo;
  readonly damage: readonly Damage[];
  readonly #place: SessionFiles;
  readonly #ids: readonly string[];

  constructor(infoFile: string) {
    const damage: Damage[] = [];
    this.#place = sessionFiles(infoFile);
    this.#ids = idsIn(this.#place.messages);
    const file = readObject(infoFile, { index: -1, damage });
    const session = sessionOfFile(file?.value ?? {}, { id: this.#place.session });
    const worktree = this.#worktree(session.projectId);
    const directory = session.directory ?? this.#directory();
    this.session = {
      ...session,
      ...(worktree === undefined ? {} : { worktree }),
      ...(directory === undefined ? {} : { directory }),
    };
    this.damage = damage;
  }

  get count(): number {
    return this.#ids.length;
  }

  info(index: number): JsonObject | undefined {
    return this.#info(index, [])?.value;
  }

  parts(index: number): readonly JsonObject[] {
    const id = this.#ids[index];
    return id === undefined ? [] : this.#parts(id, index, []).parts;
  }

  message(index: number): ReadMessage | undefined {
    const id = this.#ids[index];
    if (id === undefined) return undefined;
    const damage: Damage[] = [];
    const file = this.#info(index, damage);
    const { parts, bytes, stamp } = this.#parts(id, index, damage);
    const info = { ...file?.value, id, sessionID: this.session.id };
    return { id, native: { info, parts }, damage, bytes: bytes + (file?.bytes ?? 0), stamp };
  }

  *summaries(): Generator<number> {
    for (let index = this.count - 1; index >= 0; index -= 1) yield index;
  }

  indexOf(messageId: string): number {
    return this.#ids.indexOf(messageId);
  }

  stamp(count: number): Stamp {
    let stamp: Stamp = { parts: 0, times: 0 };
    for (const id of this.#ids.slice(0, count)) {
      const folder = this.#place.parts(id);
      for (const part of idsIn(folder)) {
        stamp = addStamps(stamp, stampOf(join(folder, `${part}.json`)));
      }
    }
    return stamp;
  }

  todos(): readonly JsonObject[] {
    const todos = readJson(this.#place.todoFile);
    return asArray(todos).slice(0, 1000).filter(isObject);
  }

  close(): void {}

  #worktree(project: string | undefined): string | undefined {
    if (project === undefined || sessionIdProblem(project) !== undefined) return undefined;
    const value = readJson(this.#place.projectFile?.(project));
    return isObject(value) ? asString(value["worktree"]) : undefined;
  }

  /** Before 1.0 only the answers say where the session ran. */
  #directory(): string | undefined {
    for (const back of [1, 2]) {
      const path = this.#info(this.count - back, [])?.value["path"];
      if (isObject(path)) return asString(path["cwd"]);
    }
    return undefined;
  }

  #info(index: number, damage: Damage[]): ReadFile | undefined {
    const id = this.#ids[index];
    if (id === undefined) return undefined;
    return readObject(join(this.#place.messages, `${id}.json`), { index, damage });
  }

  #parts(message: string, index: number, damage: Damage[]): ReadParts {
    const folder = this.#place.parts(message);
    const parts: JsonObject[] = [];
    let bytes = 0;
    let stamp: Stamp = { parts: 0, times: 0 };
    for (const id of idsIn(folder)) {
      stamp = addStamps(stamp, stampOf(join(folder, `${id}.json`)));
      const file = readObject(join(folder, `${id}.json`), { index, damage });
      if (file === undefined) continue;
      bytes += file.bytes;
      parts.push({ ...file.value, id, sessionID: this.session.id, messageID: message });
    }
    return { parts, bytes, stamp };
  }
}

function stampOf(path: string): Stamp {
  const stat = statSync(path, { throwIfNoEntry: false });
  return { parts: 1, times: (Math.trunc(stat?.mtimeMs ?? 0) + (stat?.size ?? 0)) % stampModulus };
}

interface ReadFile {
  readonly value: JsonObject;
  readonly bytes: number;
}

/** The object a file holds; what is wrong with it goes to `damage`, with the message's number. */
function readObject(
  path: string,
  place: { readonly index: number; readonly damage: Damage[] },
): ReadFile | undefined {
  const detail = path.split(/[\\/]/).slice(-2).join("/");
  const report = (kind: Damage["kind"], recovered: number): void => {
    place.damage.push({ kind, offset: place.index + 1, recovered, detail });
  };
  let fd: number;
  try {
    fd = openForReading(path);
  } catch (error) {
    report(isRepriseError(error, "not_found") ? "missing_file" : "unreadable", 0);
    return undefined;
  }
  try {
    const { size } = fstatSync(fd);
    if (size > limits.foreignLineBytes) {
      report("too_long", 0);
      return undefined;
    }
    // An object inside a torn one carries no id of its own.
    const { records, kind } = parseLine(readFileSync(fd), (found) => "id" in found);
    const value = records[0];
    if (kind !== undefined) report(kind, value === undefined ? 0 : 1);
    return value === undefined ? undefined : { value, bytes: size };
  } catch (error) {
    if (!isOfSystem(error)) throw error;
    report("unreadable", 0);
    return undefined;
  } finally {
    closeSync(fd);
  }
}
