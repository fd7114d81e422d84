import { isoOf } from "../../base/clock.ts";
import type { Environment } from "../../base/env.ts";
import { limits } from "../../base/limits.ts";
import { checkReadable } from "../../base/open-file.ts";
import type { SessionHead } from "../../model/head.ts";
import { oneLine } from "../../model/text.ts";
import type { SessionRef } from "../contract.ts";
import { unreadHead } from "../session-file.ts";
import { serviceTitles } from "./element-facts.ts";
import { folderFor, listOf } from "./export-list.ts";
import { agentName } from "./locate.ts";

/** What the list of an export says of one of its conversations; undefined if it is not in it. */
export function head(ref: SessionRef, env: Environment): SessionHead | undefined {
  if (ref.part === undefined) return undefined;
  try {
    checkReadable(ref.path);
    const found = listOf(ref.path, ref.root ?? folderFor(env))?.conversations.get(ref.part);
    if (found === undefined) return undefined;
    const { id, service, title = "", createdMs, updatedMs, model, messages, sizeBytes } = found;
    const line = oneLine(title, limits.titleChars);
    return {
      agent: agentName,
      session: id,
      path: ref.path,
      sizeBytes,
      ...(createdMs !== undefined && { createdAt: isoOf(createdMs) }),
      updatedAt: isoOf(updatedMs),
      ...(line !== "" && { title: line, titled: true }),
      // The export is the group: one came with it, and goes with it.
      project: { name: serviceTitles[service], path: ref.path },
      ...(model !== undefined && { model }),
      state: "unknown",
      events: messages,
      aside: true,
    };
  } catch (error) {
    return unreadHead(ref, error);
  }
}
