import type { Environment } from "../base/env.ts";
import { RepriseError } from "../base/errors.ts";
import { checkSessionId, sessionIdOf, uuidv7 } from "../base/ids.ts";
import type { JsonObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import { formatVersion } from "../log/header.ts";
import type { AgentStamp, SessionStart } from "../model/event.ts";
import { oneLine } from "../model/text.ts";
import { ownAgent } from "./own-agent.ts";
import { identifyProject } from "./project.ts";

/** What is known about a session when it begins. */
export interface StartOptions {
  /** A caller's own id; a UUIDv7 otherwise. */
  readonly id?: string | undefined;
  /** Any string the caller knows the session by, in place of an id: `sessionIdOf` makes the id of it. */
  readonly key?: string | undefined;
  readonly title?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly model?: string | undefined;
  readonly agent?: AgentStamp | undefined;
  readonly createdBy?: string | undefined;
  readonly metadata?: JsonObject | undefined;
  /** The session it comes after, and the event where that was left. */
  readonly continues?: SessionStart["continues"] | undefined;
}

/** The first event of a session begun in a folder. */
export function startOf(cwd: string, options: StartOptions, env: Environment): SessionStart {
  const { identity, git } = identifyProject(cwd);
  const { key, title, tags, model, agent, metadata, continues } = options;
  const createdBy = options.createdBy ?? env.variables["USER"] ?? env.variables["USERNAME"];
  return {
    type: "session_start",
    format: formatVersion,
    session: idFor(options),
    ...(key !== undefined && { key }),
    ...(title !== undefined && { title: oneLine(title, limits.titleChars) }),
    ...(tags !== undefined && { tags }),
    cwd,
    project: identity,
    ...(git !== undefined && { git }),
    agent: agent ?? { name: ownAgent },
    ...(model !== undefined && { model }),
    ...(createdBy !== undefined && { createdBy }),
    ...(metadata !== undefined && { metadata }),
    ...(continues !== undefined && { continues }),
  };
}

function idFor({ id, key }: StartOptions): string {
  if (id !== undefined && key !== undefined) {
    throw new RepriseError("bad_input", "A session has an id or a key of its caller's, not both.");
  }
  if (key !== undefined) return sessionIdOf(key);
  return id === undefined ? uuidv7() : checkSessionId(id);
}
