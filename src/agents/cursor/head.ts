import { basename } from "node:path";
import { pathExists } from "../../base/folders.ts";
import { asString } from "../../base/json.ts";
import type { SessionHead } from "../../model/head.ts";
import { partsOfPage } from "../../model/note-page.ts";
import { type Opening, opened } from "../../model/opening.ts";
import { openForNow } from "../../sqlite/open-for-now.ts";
import type { SessionRef } from "../contract.ts";
import { documentHead, documentText, problemOfDamage } from "../document.ts";
import { headOfFile, unreadHead } from "../session-file.ts";
import { composerHead } from "./head/composer.ts";
import { savedHead } from "./head/saved.ts";
import { metaBeside, storeHead } from "./head/store.ts";
import { parentOf, transcriptHead } from "./head/transcript.ts";
import { KeyValues } from "./key-values.ts";
import { isPagePath } from "./locate/pages.ts";
import { meant } from "./part.ts";
import { isOfStore } from "./read/blob-tree.ts";
import { isOfComposer } from "./read/composer.ts";
import { savedKeys } from "./read/saved.ts";

/** What a conversation's record, its file, or a page says of itself. */
export function head(ref: SessionRef): SessionHead | undefined {
  const { kind } = meant(ref);
  if (kind === "page") return pageHead(ref);
  if (kind === "transcript") return headOfFile(ref, (fd) => transcriptHead(fd, ref));
  // A conversation is a row: a file from elsewhere names none.
  if (ref.part === undefined && ref.root === undefined && ref.session !== "state.vscdb")
    return undefined;
  try {
    return databaseHead(ref);
  } catch (error) {
    return unreadHead(ref, error);
  }
}

/** What its place says is enough: no conversation is read. */
export function opening(ref: SessionRef): Opening | undefined {
  if (!pathExists(ref.path)) return undefined;
  const { kind } = meant(ref);
  const cwd = kind === "store" ? asString(metaBeside(ref)["cwd"]) : ref.root || undefined;
  const subagent = kind === "transcript" && parentOf(ref) !== undefined;
  return opened(ref.session, { cwd, subagent });
}

function pageHead(ref: SessionRef): SessionHead | undefined {
  if (!isPagePath(ref.path)) return undefined;
  return headOfFile(ref, (fd) => {
    const { text, damage } = documentText(fd, ref.path);
    const parts = partsOfPage(text);
    if (parts.length === 0) return undefined;
    const kind = ref.session.startsWith("memory-bank") ? "memory" : "notes";
    return documentHead(ref, { kind, title: basename(ref.path), ...problemOfDamage(damage) });
  });
}

function databaseHead(ref: SessionRef): SessionHead | undefined {
  const of = meant(ref);
  const keys = new Set(savedKeys(of));
  const wants =
    of.kind === "composer"
      ? isOfComposer(of.id)
      : of.kind === "store"
        ? isOfStore
        : (key: string) => keys.has(key);
  const values = new KeyValues(ref.path, { wants, open: openForNow });
  if (of.kind === "composer") return composerHead(ref, values, of.id);
  return of.kind === "store" ? storeHead(ref, values) : savedHead(ref, values, of);
}
