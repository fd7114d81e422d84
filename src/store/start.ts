import type { Environment } from "../base/env.ts";
import { checkSessionId, uuidv7 } from "../base/ids.ts";
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
  readonly title?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly model?: string | undefined;
  readonly agent?: AgentStamp | undefined;
  readonly createdBy?: string | undefined;
  readonly metadata?: JsonObject | undefined;
}

/** The first event of a session begun in a folder. */
export function startOf(cwd: string, options: StartOptions, env: Environment): SessionStart {
  const { identity, git } = identifyProject(cwd);
  const { id, title, tags, model, agent, metadata } = options;
  const createdBy = options.createdBy ?? env.variables["USER"] ?? env.variables["USERNAME"];
  return {
    type: "session_start",
    format: formatVersion,
    session: id === undefined ? uuidv7() : checkSessionId(id),
    ...(title !== undefined && { title: oneLine(title, limits.titleChars) }),
    ...(tags !== undefined && { tags }),
    cwd,
    project: identity,
    ...(git !== undefined && { git }),
    agent: agent ?? { name: ownAgent },
    ...(model !== undefined && { model }),
    ...(createdBy !== undefined && { createdBy }),
    ...(metadata !== undefined && { metadata }),
  };
}
