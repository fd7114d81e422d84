import { processEnvironment } from "../base/env.ts";
import type { SessionMeta } from "../log/session-meta.ts";
import type { SessionStart } from "../model/event.ts";
import type { CreateOptions } from "./session-options.ts";
import { startOf } from "./start.ts";

/** The first event of a fork, but for where it stands on its base: what it does not say anew is as it was there. */
export function forkStartOf(
  { start, meta: { title, tags } }: { readonly start: SessionStart; readonly meta: SessionMeta },
  options: CreateOptions,
): SessionStart {
  const inherited = {
    ...(title !== undefined && title !== null && { title }),
    ...(tags !== undefined && { tags }),
    model: start.model,
    agent: start.agent,
  };
  return startOf(
    start.cwd ?? process.cwd(),
    { ...inherited, ...options },
    options.env ?? processEnvironment(),
  );
}
