import { basename } from "node:path";
import { folderExists } from "../../base/folders.ts";
import { asArray, asNumber, asString, isObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import type { SessionHead } from "../../model/head.ts";
import { partsOfPage } from "../../model/note-page.ts";
import { type Opening, opened } from "../../model/opening.ts";
import { oneLine } from "../../model/text.ts";
import { openForReading } from "../../sqlite/open.ts";
import type { SessionRef } from "../contract.ts";
import { documentHead, documentText, problemOfDamage } from "../document.ts";
import { headOfFile, unreadHead } from "../session-file.ts";
import { agentName, isPage, isPagePath } from "./locate.ts";
import { composerOf } from "./read/composer.ts";

/** What a conversation's record, or a page, says of itself. */
export function head(ref: SessionRef): SessionHead | undefined {
  if (isPage(ref)) return pageHead(ref);
  try {
    return composerHead(ref);
  } catch (error) {
    return unreadHead(ref, error);
  }
}

/** The index of the workspace tells enough: no conversation is read. */
export function opening(ref: SessionRef): Opening | undefined {
  return opened(ref.session, { cwd: ref.root || undefined });
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

function composerHead(ref: SessionRef): SessionHead {
  const database = openForReading(ref.path);
  try {
    const record = composerOf(database, ref.part ?? ref.session) ?? {};
    const createdMs = asNumber(record["createdAt"]);
    const updatedMs = asNumber(record["lastUpdatedAt"]) ?? (ref.modifiedMs || createdMs || 0);
    const { modelConfig } = record;
    const model = isObject(modelConfig) ? asString(modelConfig["modelName"]) : undefined;
    const name = asString(record["name"]);
    const cwd = ref.root || undefined;
    const isEmpty = asArray(record["fullConversationHeadersOnly"]).length === 0;
    const inline = asArray(record["conversation"]).length;
    return {
      agent: agentName,
      session: ref.session,
      path: ref.path,
      sizeBytes: ref.sizeBytes,
      ...(createdMs !== undefined && { createdAt: new Date(createdMs).toISOString() }),
      updatedAt: new Date(updatedMs).toISOString(),
      ...(name && { title: oneLine(name, limits.titleChars), titled: true }),
      ...(cwd !== undefined && {
        cwd,
        cwdExists: folderExists(cwd),
        project: { name: basename(cwd), path: cwd },
      }),
      ...(model !== undefined && { model }),
      state: record["status"] === "completed" ? "waiting" : "unknown",
      ...(isEmpty &&
        inline === 0 && { problem: "The record of the conversation names no messages." }),
    };
  } finally {
    database.close();
  }
}
