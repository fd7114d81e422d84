import { z } from "zod";
import { readHead } from "../../../agents/library.ts";
import { isoOf } from "../../../base/clock.ts";
import { limits } from "../../../base/limits.ts";
import type { FoundInSession } from "../../../catalog/query/found.ts";
import { checkAgents, openFinder } from "../../../catalog/query/library.ts";
import { createMasker } from "../../../redact/mask.ts";
import { ownAgent } from "../../../store/own-agent.ts";
import { count } from "../../cli/render/count.ts";
import { type Item, label, type Reply } from "../answer.ts";
import { everywhere, maxTokens, most, words } from "../fields.ts";
import { isOwnConversation } from "../own-conversation.ts";
import { titleQuote } from "../sessions.ts";
import { type McpCall, tool } from "../tool.ts";

/** `search_sessions`: finds sessions of every agent by what was said in them. */
export const searchSessions = tool({
  name: "search_sessions",
  title: "Search sessions",
  description:
    'Searches what was said and done in earlier sessions of every coding agent on this machine. Write a sentence; "a phrase", -not, agent:codex, role:user, tool:bash, file:src/a.ts, since:7d, is:error narrow it. Answers name sessions and events that get_session takes.',
  input: z.object({
    query: words("What to look for", limits.queryChars),
    limit: most("Sessions to return", 5, 20),
    everywhere,
    max_tokens: maxTokens,
  }),
  changes: "nothing",
  run: async ({ query, limit, everywhere: isWide }, call) => {
    const here = { key: "here", value: "", not: false } as const;
    const request = { text: query, mode: "words", filters: isWide ? [] : [here] } as const;
    checkAgents(request);
    const masker = createMasker();
    const finder = await openFinder({
      env: call.env,
      nowMs: call.nowMs,
      freshenMs: limits.freshenMs,
    });
    try {
      const soFar = finder.pending > 0;
      const found = await finder.search(request, {
        // The conversation that asks is among them.
        sessions: limit + 1,
        events: limits.foundEvents,
        soFar,
        shownAs: masker.text,
      });
      const isOwn = isOwnConversation(call);
      const others = found.sessions.flatMap((session) => {
        const { ref, facts } = session;
        const begun = facts.createdMs === undefined ? undefined : isoOf(facts.createdMs);
        const events = session.events.filter(({ at = begun }) => !isOwn({ agent: ref.agent, at }));
        return events.length === 0 ? [] : [{ ...session, events }];
      });
      const open = (await unsealed(others, call)).slice(0, limit);
      return reply(open.map(foundItem), {
        total: found.totalSessions - (found.sessions.length - others.length),
        notes: [
          ...found.instead.map(
            ({ typed, used }) => `Nothing has ${label(typed)}; this is for ${label(used)}.`,
          ),
          ...(soFar
            ? [`${finder.pending} sessions are not indexed yet; ask again for all of them.`]
            : []),
          ...(isWide ? [] : ["Only this project was searched; everywhere: true searches all."]),
        ],
      });
    } finally {
      finder.close();
    }
  },
});

function reply(
  items: readonly Item[],
  { total, notes }: { readonly total: number; readonly notes: readonly string[] },
): Reply {
  return {
    head: [
      items.length === 0
        ? "Nothing was found."
        : `Found in ${count(total, "session")}, the best first.`,
      ...notes,
    ],
    items,
    tail: ({ shown }) =>
      shown < total
        ? `${total - shown} more: narrow the query, or raise limit or max_tokens.`
        : undefined,
  };
}

/** Without those that are sealed; only our own store seals. */
async function unsealed(
  sessions: readonly FoundInSession[],
  { env }: McpCall,
): Promise<readonly FoundInSession[]> {
  const kept = await Promise.all(
    sessions.map(
      async ({ ref }) => ref.agent !== ownAgent || (await readHead(ref, { env }))?.sealed !== true,
    ),
  );
  return sessions.filter((_session, index) => kept[index]);
}

function foundItem({ ref, facts, events, total }: FoundInSession): Item {
  const name = `${ref.agent}:${facts.session}`;
  const when = new Date(facts.updatedMs).toISOString().slice(0, 16);
  return {
    pieces: [
      `- ${label(name)} · ${when} · ${total} matching events`,
      titleQuote(name, facts.title ?? "(no title)"),
      ...events.flatMap(({ number, kind, snippet }) =>
        snippet === undefined || number === ""
          ? []
          : [{ text: snippet.text, from: `${name}@${number}`, as: kind }],
      ),
    ],
  };
}
