import { fileStat, smallFile } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
import type { AgentNotes } from "../notes-contract.ts";
import { currentPage } from "./pages.ts";
import { sectionsOfNotes } from "./sections.ts";

/** The page of the session that claude-sessions has open in a project. */
export const notes: AgentNotes = {
  of: (project) => {
    const path = currentPage(project);
    const text = path === undefined ? undefined : smallFile(path, limits.ledgerBytes);
    const atMs = path === undefined ? undefined : fileStat(path)?.modifiedMs;
    if (path === undefined || text === undefined || atMs === undefined) return undefined;
    return { from: "claude-sessions", path, atMs, sections: sectionsOfNotes(text) };
  },
};
