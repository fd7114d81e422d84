import { z } from "zod";
import { findNewest } from "../../../agents/find-sessions.ts";
import { knownAgent } from "../../../agents/known-agent.ts";
import { agentNames } from "../../../agents/registry.ts";
import { parseTime } from "../../../base/parse-time.ts";
import { count } from "../../cli/render/count.ts";
import { everywhere, maxTokens, most, words } from "../fields.ts";
import { searchOn, sessionItem } from "../sessions.ts";
import { tool } from "../tool.ts";

/** `list_sessions`: the newest sessions. */
export const listSessionsTool = tool({
  name: "list_sessions",
  title: "List sessions",
  description: "Lists the newest sessions of every coding agent in this project, or in all.",
  input: z.object({
    limit: most("Sessions to return", 10, 50),
    agent: words("Only sessions of this agent, such as claude-code or codex").optional(),
    since: words("Changed since: 2026-11-01, yesterday, 3d").optional(),
    everywhere,
    max_tokens: maxTokens,
  }),
  changes: "nothing",
  run: async ({ limit, agent, since, everywhere: isWide }, call) => {
    const filter = {
      ...(agent !== undefined && { agent: knownAgent(agent, agentNames()) }),
      ...(since !== undefined && { sinceMs: parseTime(since, call.nowMs) }),
      ...(!isWide && { here: call.env.cwd }),
    };
    const { sessions, total } = findNewest(await searchOn(call), filter, limit);
    return {
      head: [
        total === 0
          ? "There are no such sessions."
          : `${count(total, "session")}, the newest first.`,
      ],
      items: sessions.map(sessionItem),
      tail: ({ shown }) =>
        shown < total
          ? `${total - shown} more: raise limit or max_tokens, or use since.`
          : undefined,
    };
  },
});
