import { closeSync, readSync } from "node:fs";
import type { FoundSession } from "../../../agents/find-sessions.ts";
import { readSession } from "../../../agents/reading.ts";
import { limits } from "../../../base/limits.ts";
import { openForReading } from "../../../base/open-file.ts";

/**
 * Whether a session names a pull request: in its title or branch, in a link record of the agent, or by a
 * link anywhere in it.
 */
export async function namesPullRequest(session: FoundSession, number: number): Promise<boolean> {
  const { title = "", git } = session.head;
  if (new RegExp(`(?:/pull/|/pulls/|/merge_requests/|\\bPR ?#?|#)${number}\\b`, "i").test(title))
    return true;
  if (new RegExp(`(?:^|/)(?:pr|pull)[-/]${number}\\b`, "i").test(git?.branch ?? "")) return true;
  return session.ref.part === undefined
    ? fileHolds(session.ref.path, linkShape(number))
    : eventsHold(session, linkShape(number));
}

/** How a link to it looks in a record: a number never stands before another digit. */
function linkShape(number: number): RegExp {
  return new RegExp(`(?:/pull/|/merge_requests/|"prNumber": ?)${number}(?![0-9])`);
}

/** Looks for a short text in a file without parsing it; pieces overlap, so that none is cut in two. */
function fileHolds(path: string, shape: RegExp): boolean {
  const overlap = 64;
  const buffer = Buffer.allocUnsafe(limits.chunkBytes);
  const fd = openForReading(path);
  try {
    let kept = 0;
    for (;;) {
      const read = readSync(fd, buffer, kept, buffer.length - kept, null);
      if (read === 0) return shape.test(buffer.toString("latin1", 0, kept));
      const end = kept + read;
      // A number at the very end may continue in the next piece, which begins with it again.
      const match = shape.exec(buffer.toString("latin1", 0, end));
      if (match !== null && match.index + match[0].length < end) return true;
      kept = Math.min(overlap, end);
      buffer.copy(buffer, 0, end - kept, end);
    }
  } finally {
    closeSync(fd);
  }
}

async function eventsHold(session: FoundSession, shape: RegExp): Promise<boolean> {
  for await (const { body } of readSession(session).events) {
    if (shape.test(JSON.stringify(body))) return true;
  }
  return false;
}
