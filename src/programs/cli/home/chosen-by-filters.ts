import { parseQuery } from "../../../catalog/query/query.ts";
import {
  asksSessions,
  factsOfHead,
  passing,
  timesOf,
} from "../../../catalog/query/session-filter.ts";
import type { CommandContext } from "../run/command.ts";
import type { Item } from "./item.ts";

/**
 * The items chosen by a query that has filters on sessions and nothing else, such as `agent:codex since:7d`: their heads say
 * it of all of them. Undefined for a query that asks for what was said.
 */
export async function chosenByFilters(
  text: string,
  items: readonly Item[],
  { env, nowMs }: Pick<CommandContext, "env" | "nowMs">,
): Promise<readonly Item[] | undefined> {
  const { clauses, filters } = parseQuery(text);
  const isTime = (key: string): boolean => key === "since" || key === "until";
  const areOfSessions = filters.every((one) => isTime(one.key) || asksSessions([one]));
  if (clauses.length > 0 || filters.length === 0 || !areOfSessions) return undefined;
  const { since = 0, until = Number.POSITIVE_INFINITY } = timesOf(filters, nowMs);
  const sessions = items.map((item) => ({ item, facts: factsOfHead(item.session.head) }));
  const inTime = sessions.filter(({ facts: { createdMs, updatedMs } }) => {
    return updatedMs >= since * 1000 && (createdMs ?? updatedMs) <= until * 1000;
  });
  return (await passing(inTime, filters, env)).map(({ item }) => item);
}
