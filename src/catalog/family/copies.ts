import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import type { FoundSession } from "../../agents/newest-sessions.ts";
import { timeOf } from "../../base/clock.ts";
import { limits } from "../../base/limits.ts";
import { plainText } from "../../model/block.ts";
import { isPrompt } from "../../model/prompt.ts";
import { type Kinship, keyOf } from "./kinship.ts";

/*
 * Some agents fork a session by copying it and write nowhere that they did. Such a copy begins with the same prompt at
 * the same moment; only sessions that look alike by their heads are opened to compare that.
 */

/** Finds sessions that are copies of others, though they do not say so. */
export interface CopyFinder {
  /** Those that begin as this one does, the oldest first, this one among them; it alone where there is none. */
  alike(session: FoundSession): Promise<readonly FoundSession[]>;
}

/** Finds copies among these sessions; each is opened at most once. */
export function copyFinder(all: readonly FoundSession[]): CopyFinder {
  const openings = new Map<FoundSession, string | undefined>();
  const openingOf = async (session: FoundSession): Promise<string | undefined> => {
    if (!openings.has(session)) openings.set(session, await readOpening(session));
    return openings.get(session);
  };
  return {
    alike: async (session) => {
      if (session.head.sealed === true) return [session];
      const candidates = all
        .filter((other) => other !== session && looksAlike(session, other))
        .slice(0, limits.familyMembers);
      const own = candidates.length === 0 ? undefined : await openingOf(session);
      if (own === undefined) return [session];
      const found = [session];
      for (const other of candidates) if ((await openingOf(other)) === own) found.push(other);
      return found.sort((a, b) => bornMs(a) - bornMs(b) || a.ref.modifiedMs - b.ref.modifiedMs);
    },
  };
}

/** A copy of the first of some sessions that are alike. */
export function copyOf(first: FoundSession): Kinship {
  return { kind: "copy", parent: keyOf(first) };
}

/** Heads of copies: one agent, one folder, and one beginning or one name. */
function looksAlike({ head: one }: FoundSession, { head: two }: FoundSession): boolean {
  if (one.agent !== two.agent || one.cwd !== two.cwd || two.sealed === true) return false;
  if (one.relation?.kind === "subagent" || two.relation?.kind === "subagent") return false;
  const isOfOneTime = one.createdAt !== undefined && one.createdAt === two.createdAt;
  return isOfOneTime || (one.title !== undefined && bareTitle(one.title) === bareTitle(two.title));
}

/** Agents number the titles of forks. */
function bareTitle(title: string | undefined): string | undefined {
  return title?.replace(/\s*\((?:fork|branch|copy)[^()]*\)\s*$/i, "");
}

/** When a file came to be: a copy has the times of what it copies, but a younger file. */
function bornMs({ head, ref }: FoundSession): number {
  if (ref.part !== undefined) return timeOf(head.createdAt) ?? ref.modifiedMs;
  return statSync(ref.path, { throwIfNoEntry: false })?.birthtimeMs ?? ref.modifiedMs;
}

/** The first prompt with its moment; undefined where nothing was asked among the first events. */
async function readOpening({ agent, ref }: FoundSession): Promise<string | undefined> {
  let events = 0;
  for await (const batch of agent.read(ref, { allBranches: true })) {
    for (const { body, at = "", sidechain } of batch.events) {
      if (sidechain === undefined && isPrompt(body)) {
        const text = plainText(body.content);
        return createHash("sha256").update(`${at}\n${text}`).digest("hex");
      }
      events += 1;
      if (events > limits.openingEvents) return undefined;
    }
  }
  return undefined;
}
