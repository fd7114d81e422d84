import { RepriseError } from "../base/errors.ts";
import {
  asArray,
  asNumber,
  asString,
  isObject,
  type JsonObject,
  parseObject,
  textsIn,
} from "../base/json.ts";
import type { FolderState, SkipReason } from "./folder-state.ts";
import { type RuleFacts, type RuleSource, Rules } from "./ignore/rules.ts";
import type { SnapshotStore } from "./snapshot-store.ts";
import { below } from "./tree-paths.ts";

/** What a snapshot covers, as it is kept with it: on restore this counts, never the rules of today. */
export interface ScopeFacts {
  readonly rules: RuleFacts;
  readonly mostFileBytes: number;
  /** What is covered by the rules, was there, and could not be kept. */
  readonly skipped: readonly (readonly [path: string, reason: SkipReason])[];
  /** Paths that were looked at besides what the rules cover. */
  readonly also: readonly string[];
  /** Paths there was no time for; the tree has what was known of them before. */
  readonly missed: readonly string[];
  /** Where only some paths were looked at: these. */
  readonly only?: readonly string[];
}

/** Why a snapshot says nothing of a path. */
export type Uncovered = SkipReason | "ignored" | "not looked at";

/** Judges which paths a snapshot covers. */
export interface Scope {
  readonly facts: ScopeFacts;
  /** Why the snapshot says nothing of a path; undefined if it does, and what is not in its tree was not there. */
  uncovered(path: string, entry: { readonly isFolder: boolean }): Uncovered | undefined;
}

/** The scope that facts describe. */
export function scopeOf(facts: ScopeFacts): Scope {
  const rules = new Rules(facts.rules);
  const skipped = new Map(facts.skipped);
  const also = new Set(facts.also);
  const missed = new Set(facts.missed);
  const only = facts.only === undefined ? undefined : new Set(facts.only);
  return {
    facts,
    uncovered(path, entry) {
      if (missed.size > 0 && isAmong(path, missed)) return "not looked at";
      if (only !== undefined && !only.has(path)) return "not looked at";
      const found = valueAbove(path, skipped);
      // In a folder that is ignored, what was asked for by name was looked at all the same.
      const isNamed = found === "folder" && also.has(path) && !skipped.has(path);
      if (found !== undefined && !isNamed) return found;
      if (also.has(path) || only !== undefined || rules.covers(path, entry)) return undefined;
      return "ignored";
    },
  };
}

/** Everything in a state that could not be kept, by path. */
export function* skippedIn(
  state: FolderState,
  folder = "",
): Generator<readonly [string, SkipReason]> {
  for (const [name, reason] of state.skipped) yield [below(folder, name), reason];
  for (const [name, inner] of state.folders) yield* skippedIn(inner, below(folder, name));
}

/** The scope a snapshot was kept with; throws `damaged` if it cannot be understood. */
export function readScope(store: SnapshotStore, name: string): Scope {
  const read = parseObject(store.blobs.get({ blob: name, size: 0 }).toString("utf8"));
  const rules = isObject(read?.["rules"]) ? rulesIn(read["rules"]) : undefined;
  if (read === undefined || rules === undefined) {
    throw new RepriseError("damaged", "The rules of a checkpoint cannot be read.");
  }
  return scopeOf({
    rules,
    mostFileBytes: asNumber(read["mostFileBytes"]) ?? 0,
    skipped: asArray(read["skipped"]).flatMap((pair) => {
      const [path, reason] = asArray(pair).flatMap((part) => asString(part) ?? []);
      return path === undefined || reason === undefined ? [] : [[path, reason as SkipReason]];
    }),
    also: textsIn(read["also"]),
    missed: textsIn(read["missed"]),
    ...(read["only"] !== undefined && { only: textsIn(read["only"]) }),
  });
}

function rulesIn(object: JsonObject): RuleFacts | undefined {
  const prefix = asString(object["prefix"]);
  if (prefix === undefined) return undefined;
  const sources = asArray(object["sources"]).flatMap((source): readonly RuleSource[] => {
    if (!isObject(source)) return [];
    const [folder, text] = [asString(source["folder"]), asString(source["text"])];
    const kind = source["kind"] === "include" ? "include" : "ignore";
    return folder === undefined || text === undefined ? [] : [{ folder, kind, text }];
  });
  return { prefix, sources, outside: textsIn(object["outside"]) };
}

/** Whether a path is one of some, or lies below one; "" is the folder itself. */
export function isAmong(path: string, paths: ReadonlySet<string>): boolean {
  if (paths.has("") || paths.has(path)) return true;
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1))
    if (paths.has(path.slice(0, at))) return true;
  return false;
}

/** What a map has for a path or a folder above it. */
function valueAbove<T>(path: string, values: ReadonlyMap<string, T>): T | undefined {
  if (values.size === 0) return undefined;
  for (let at = path.length; at > 0; at = path.lastIndexOf("/", at - 1)) {
    const found = values.get(path.slice(0, at));
    if (found !== undefined) return found;
  }
  return undefined;
}
