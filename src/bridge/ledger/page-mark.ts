import { fileStat } from "../../base/folders.ts";

/** What says a page from one that was saved since: its time and its size. */
export function pageMark(path: string): string {
  const stat = fileStat(path);
  return stat === undefined ? "" : `${stat.modifiedMs} ${stat.sizeBytes}`;
}

/** What was kept, with the mark of the page in front: a look finds it without reading the rest. */
export function withMark(kept: object, mark: string): string {
  return JSON.stringify({ page: mark, ...kept });
}

/** The mark in front of what was kept. */
export function markIn(text: string): string | undefined {
  return /^\{"page":"([\d. ]{0,64})"/.exec(text)?.[1];
}
