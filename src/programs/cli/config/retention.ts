import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../../../base/env.ts";
import { statOf } from "../../../base/folders.ts";
import { isObject, type JsonObject } from "../../../base/json.ts";
import { userHome } from "../../../store/home.ts";
import { prune } from "../../../store/prune.ts";
import type { Retention } from "../../../store/retention.ts";

const dayMs = 24 * 3600_000;

/** The policy that runs by itself; undefined if it is switched off, or has no rule. */
export function ownRetention(settings: JsonObject): Retention | undefined {
  const given = settings["retention"];
  return isObject(given) && given["auto"] === true ? retentionIn(settings) : undefined;
}

/** The policy of the settings, whether it runs by itself or not; undefined if it has no rule. */
export function retentionIn(settings: JsonObject): Retention | undefined {
  const given = settings["retention"];
  if (!isObject(given)) return undefined;
  const number = (key: string): number | undefined =>
    typeof given[key] === "number" ? given[key] : undefined;
  const [ttlDays, maxSessions, maxBytes] = ["ttlDays", "maxSessions", "maxBytes"].map(number);
  if (ttlDays === undefined && maxSessions === undefined && maxBytes === undefined)
    return undefined;
  return {
    ...(ttlDays !== undefined && { ttlDays }),
    ...(maxSessions !== undefined && { maxSessions }),
    ...(maxBytes !== undefined && { maxBytes }),
  };
}

/** Lets old sessions go where the user switched that on and it was not done today; a sentence where any went. */
export function keepRetention(
  env: Environment,
  settings: JsonObject,
  nowMs: number,
): string | undefined {
  const policy = ownRetention(settings);
  const home = userHome(env);
  const stamp = join(home.derived, "retention");
  if (policy === undefined || statOf(home.sessions) === undefined) return undefined;
  if (nowMs - (statOf(stamp)?.mtimeMs ?? 0) < dayMs) return undefined;
  const { removed, entry } = prune(home, policy, nowMs);
  try {
    writeFileSync(stamp, "", { mode: 0o600 });
    utimesSync(stamp, nowMs / 1000, nowMs / 1000);
  } catch {
    // Then it is looked at again with the next command.
  }
  if (removed.length === 0) return undefined;
  const sessions = removed.length === 1 ? "1 old session" : `${removed.length} old sessions`;
  return `Removed ${sessions} of the store, as your settings ask; \`reprise undo ${entry}\` brings them back.`;
}
