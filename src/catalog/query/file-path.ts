import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { asNamed, isWhole } from "../blame/call-files.ts";
import type { Query } from "./query.ts";

/*
 * What `file:` means: a whole path is that file, any other is each file whose path ends with it. The index and a reading
 * compare alike.
 */

/** The path of a file a call works on; a call names it from where its session ran. */
const fullPath = `iif(f.path glob '/*' or f.path glob '[A-Za-z]:/*', f.path,
  replace(coalesce(s.cwd, ''), '\\', '/') || '/' || f.path)`;

/** The events of the index that work on a file, as a table of `event` and `source`; its two parameters are `asked(value)`. */
export const workingOn = `select e.id as event, e.source as source from file f join touched t on t.file = f.id
  join event e on e.id = t.event join source s on s.id = e.source
  where substr('/' || ${fullPath}, -length(?)) = ?`;

/** What a path ends with, if a `/` is put before it: one that begins with a `/` has two then, so all of it must be equal. */
export function asked(value: string): string {
  return `/${asNamed(value)}`;
}

/** Whether one of the files of a call is the one that is asked for. */
export function worksOn(files: readonly string[], value: string, cwd: string | undefined): boolean {
  const end = asked(value);
  return files.some((path) => {
    const full = isWhole(path) ? path : `${(cwd ?? "").replaceAll("\\", "/")}/${path}`;
    return `/${full}`.endsWith(end);
  });
}

/**
 * The query with whole paths for the files of this folder that `file:` names by relative ones; undefined if it names none.
 * A guess where a path does not say so, but a file is there.
 */
export function withFilesHere(
  query: Query,
  cwd: string,
): { readonly query: Query; readonly isGuess: boolean } | undefined {
  let isAny = false;
  let isGuess = false;
  const filters = query.filters.map((filter) => {
    const { key, value } = filter;
    const path = resolve(cwd, value);
    if (key !== "file" || path === value || !(isOfHere(value) || existsSync(path))) return filter;
    isAny = true;
    isGuess ||= !isOfHere(value);
    return { ...filter, value: path };
  });
  return isAny ? { query: { ...query, filters }, isGuess } : undefined;
}

/** Whether a path says that it begins in the current folder. */
function isOfHere(path: string): boolean {
  return /^\.{1,2}[/\\]/.test(path);
}
