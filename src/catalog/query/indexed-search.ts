import { limits } from "../../base/limits.ts";
import type { Connection, SqlValue } from "../../sqlite/connection.ts";
import { asksFact, factBit, kindBits } from "../index/event-facts.ts";
import { kindNumber, roles } from "../index/kind.ts";
import { isTool } from "../index/tool-name.ts";
import { matchExpression, unwantedExpression } from "./match-expression.ts";
import type { Query } from "./query.ts";
import type { Hit } from "./rank.ts";
import { timesOf } from "./session-filter.ts";

/** What the index found; `more` where it holds more than is ranked. */
export interface Indexed {
  readonly hits: readonly Hit[];
  readonly more: boolean;
}

/** Asks the index. `sources` limits the answer to the sessions that are asked about; undefined takes all. */
export function searchIndex(
  connection: Connection,
  query: Query,
  options: { readonly nowMs: number; readonly sources: readonly number[] | undefined },
): Indexed {
  const match = matchExpression(query);
  const conditions: string[] = [];
  const parameters: SqlValue[] = [];
  const add = (condition: string, ...values: readonly SqlValue[]): void => {
    conditions.push(condition);
    parameters.push(...values);
  };
  if (match !== undefined) add("words match ?", match);
  else {
    const unwanted = unwantedExpression(query);
    if (unwanted !== undefined) {
      add("e.id not in (select rowid from words where words match ?)", unwanted);
    }
  }
  const { since, until } = timesOf(query.filters, options.nowMs);
  if (since !== undefined) add("e.at >= ?", since);
  if (until !== undefined) add("e.at <= ?", until);
  for (const filter of query.filters) {
    const { key, value, not } = filter;
    const negated = not ? "not " : "";
    if (key === "role") {
      const numbers = (roles[value] ?? []).map(kindNumber);
      add(`e.what & ${kindBits} ${negated}in (${numbers.join(",")})`);
    } else if (key === "tool") {
      // A number beside the event: among the words of every result the name would take too much room.
      add(`coalesce(e.tool, 0) ${negated}in (${toolNumbers(connection, value).join(",")})`);
    } else if (asksFact(filter)) add(`e.what & ${factBit(filter)} ${not ? "=" : "<>"} 0`);
  }
  const { sources } = options;
  if (sources !== undefined) {
    add("e.source in (select value from json_each(?))", JSON.stringify(sources));
  }
  const from = match === undefined ? "event e" : "words join event e on e.id = words.rowid";
  const where = conditions.length === 0 ? "" : `where ${conditions.join(" and ")}`;
  const order = match === undefined ? "e.id" : "words.rowid";
  const select = (relevance: string, limit: number): Hit[] =>
    connection
      .prepare(
        `select e.source, e.number, e.what & ${kindBits} as kind, e.at, ${relevance} as relevance
         from ${from} ${where} order by ${order} desc limit ${limit}`,
      )
      .all(...parameters) as Hit[];
  // Ranking looks at every event that matches; where they are too many, the newest are taken as they come.
  if (match === undefined) {
    const hits = select("1.0", limits.rankedEvents + 1);
    return { hits, more: hits.length > limits.rankedEvents };
  }
  const counted = conditions.length === 1 ? "words" : from;
  const { count } = connection
    .prepare(
      `select count(*) as count from (select 1 from ${counted} ${where} limit ${limits.rankedEvents + 1})`,
    )
    .get(...parameters) as { readonly count: number };
  if (count > limits.rankedEvents) return { hits: select("1.0", count), more: true };
  return { hits: count === 0 ? [] : select("-bm25(words)", count), more: false };
}

function toolNumbers(connection: Connection, value: string): readonly number[] {
  const tools = connection.prepare("select id, name from tool").all() as {
    readonly id: number;
    readonly name: string;
  }[];
  return tools.filter(({ name }) => isTool(name, value)).map(({ id }) => id);
}
