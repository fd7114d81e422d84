import { isoTime } from "../../base/clock.ts";
import type { SessionHead } from "../../model/head.ts";
import { frontValues, partsOfPage } from "../../model/note-page.ts";
import type { SessionRef } from "../contract.ts";
import { documentHead, documentText, problemOfDamage } from "../document.ts";
import { headOfFile } from "../session-file.ts";
import { isLedger, isPagePath } from "./pages.ts";
import { sectionsOfHandoff, sectionsOfLedger } from "./sections.ts";

/** What a page says of itself: its goal is the title; undefined if it is none of the program's. */
export function head(ref: SessionRef): SessionHead | undefined {
  if (ref.root === undefined && !isPagePath(ref.path)) return undefined;
  return headOfFile(ref, (fd) => {
    const { text, damage } = documentText(fd, ref.path);
    const parts = partsOfPage(text);
    if (parts.length === 0) return undefined;
    const front = frontValues(parts[0]?.kind === "front" ? parts[0].text : "");
    const sections = isLedger(ref.path)
      ? sectionsOfLedger(text)
      : sectionsOfHandoff(text, ref.path);
    return documentHead(ref, {
      kind: "notes",
      title: sections.goal?.[0] ?? sections.now?.[0],
      createdAt: isoTime(front["date"]),
      ...problemOfDamage(damage),
    });
  });
}
