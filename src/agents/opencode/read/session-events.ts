import { basename } from "node:path";
import { asString } from "../../../base/json.ts";
import type { EventBody, ProjectIdentity, SessionStart, TaskEvent } from "../../../model/event.ts";
import { eventNumber } from "../../../model/event-number.ts";
import type { AgentEvent } from "../../contract.ts";
import { agentName } from "../locate.ts";
import { compact, isoOf, type SessionInfo } from "../schema.ts";
import { sessionDiff } from "./side-files.ts";
import type { Source } from "./source.ts";

/** What the store says about the session as a whole, as the events 0, 0.2, 0.3 …: start, to-dos, files changed. */
export function sessionEvents(
  source: Source,
  options: { readonly root?: string },
): readonly AgentEvent[] {
  const { session } = source;
  // Neither row nor message: there is no such session.
  if (source.count === 0 && session.createdMs === undefined) return [];
  const bodies: EventBody[] = [
    sessionStart(session),
    ...source.todos().map(
      (todo, index): TaskEvent =>
        compact<TaskEvent>({
          type: "task",
          task: asString(todo["id"]) ?? String(todo["position"] ?? index),
          title: asString(todo["content"]),
          status: asString(todo["status"]),
          data: { priority: todo["priority"] ?? null },
        }),
    ),
    ...sessionDiff(options.root, session.id),
  ];
  return bodies.map((body, index) =>
    compact<AgentEvent>({
      number: eventNumber(0, index + 1),
      uuid: index === 0 ? session.id : undefined,
      parent: undefined,
      at: isoOf(session.createdMs),
      live: true,
      sidechain: undefined,
      body,
      native: index === 0 ? session.native : undefined,
    }),
  );
}

function sessionStart(session: SessionInfo): SessionStart {
  return compact<SessionStart>({
    type: "session_start",
    format: 1,
    session: session.id,
    cwd: session.directory,
    project: projectOf(session),
    agent: compact<{ name: string; version: string }>({
      name: agentName,
      version: session.version,
    }),
    model: session.model,
    title: session.title,
  });
}

/** The project a session belongs to; sessions outside a repository share the project `/`, which is none. */
export function projectOf(session: SessionInfo): ProjectIdentity | undefined {
  const path = session.worktree;
  if (path === undefined || path === "/" || path === "") return undefined;
  return { name: basename(path), path };
}
