import type { SessionHead } from "../../model/head.ts";
import { partsOfPage } from "../../model/note-page.ts";
import type { SessionRef } from "../contract.ts";
import { documentHead, documentText, problemOfDamage } from "../document.ts";
import { headOfFile } from "../session-file.ts";
import { currentPage, isPagePath } from "./pages.ts";

/** What a page says of itself: its first heading is the title; undefined if it is none of the program's. */
export function head(ref: SessionRef): SessionHead | undefined {
  if (ref.root === undefined && !isPagePath(ref.path)) return undefined;
  return headOfFile(ref, (fd) => {
    const { text, damage } = documentText(fd, ref.path);
    const parts = partsOfPage(text);
    if (parts.length === 0) return undefined;
    const cwd = ref.root;
    const isOpen = cwd !== undefined && currentPage(cwd) === ref.path;
    return documentHead(ref, {
      kind: "notes",
      title: parts.find((part) => part.heading !== undefined)?.heading,
      createdAt: beganAt(ref.session),
      state: cwd === undefined ? "unknown" : isOpen ? "waiting" : "ended",
      ...problemOfDamage(damage),
    });
  });
}

/** A head also says whether the page is the open one. */
export function headStamp({ root }: SessionRef): string {
  return root === undefined ? "" : (currentPage(root) ?? "");
}

/** When a page was begun, as its name says, in local time. */
function beganAt(name: string): string | undefined {
  const found = /^(\d{4})-(\d\d)-(\d\d)-(\d\d)(\d\d)/.exec(name);
  if (found === null) return undefined;
  const [year, month, day, hour, minute] = found.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const date = new Date(year, month - 1, day, hour, minute);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
