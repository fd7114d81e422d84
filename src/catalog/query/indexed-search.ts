import { limits } from "../../base/limits.ts";
import type { Connection, SqlValue } from "../../sqlite/connection.ts";
import { asksFact, factBit, kindBits } from "../index/event-facts.ts";
import { kindNumber, roles } from "../index/kind.ts";
import { isTool } from "../index/tool-name.ts";
import { phraseExpression, unwantedExpression } from "./match-expression.ts";
import { filesAlone, type Query } from "./query.ts";
import type { Hit } from "./rank.ts";
import { timesOf } from "./session-filter.ts";
import { partCount, type Sought, soughtIn } from "./sought.ts";
import { wordsFor } from "./vocabulary.ts";

/** What the index found; `more` where it holds more than is ranked. */
export interface Indexed {
  readonly hits: readonly Hit[];
  readonly more: boolean;
}

interface Conditions {
  readonly where: readonly string[];
  readonly parameters: readonly SqlValue[];
}

type Row = Omit<Hit, "counts" | "leads"> & {
  readonly id: number;
  readonly count: number;
  readonly leads: number;
};

const columns = "e.id, e.source, e.number, e.place, e.what, e.at";

/** Asks the index. `sources` limits the answer to the sessions that are asked about; undefined takes all. */
export function searchIndex(
  connection: Connection,
  query: Query,
  options: { readonly nowMs: number; readonly sources: readonly number[] | undefined },
): Indexed {
  const sought = soughtIn(query);
  const conditions = conditionsOf(connection, query, { ...options, sought });
  if (sought.length === 0) return newest(connection, conditions);
  connection.exec(
    "create virtual table if not exists temp.instance using fts5vocab(main, words, instance)",
  );
  const found = new Map<number, Hit & { readonly counts: number[]; leads: boolean }>();
  let more = false;
  for (const [index, one] of sought.entries()) {
    for (const rows of rowsOf(connection, one, conditions)) {
      more ||= rows.length >= limits.rankedEvents;
      for (const { id, count, leads, ...facts } of rows) {
        let hit = found.get(id);
        if (hit === undefined) {
          // What only adds comes behind the words it is made of.
          if (one.use === "adds") continue;
          hit = { ...facts, counts: Array(sought.length).fill(0) as number[], leads: false };
          found.set(id, hit);
        }
        hit.counts[index]! += count;
        if (leads === 1) hit.leads = true;
      }
    }
  }
  return { hits: [...found.values()], more };
}

/** The events that have one thing, once for its words and once for each of its phrases. */
function* rowsOf(
  connection: Connection,
  { terms }: Sought,
  { where, parameters }: Conditions,
): Generator<readonly Row[]> {
  const and = where.map((condition) => ` and ${condition}`).join("");
  const words = wordsFor(connection, terms);
  if (words.size > 0) {
    yield connection
      .prepare(
        `select ${columns}, found.count, found.leads from (
           select i.doc as id, sum(w.value ->> 1 * iif(i.col = 'parts', ${partCount}, 1)) as count,
             max(i.offset = 0 and i.col = 'text') as leads
           from json_each(?) w cross join temp.instance i on i.term = w.value ->> 0
           group by i.doc limit ${limits.rankedEvents}
         ) found cross join event e on e.id = found.id where true${and}`,
      )
      .all(JSON.stringify([...words]), ...parameters) as Row[];
  }
  for (const term of terms) {
    if (term.kind !== "phrase") continue;
    yield connection
      .prepare(
        `select ${columns}, 1 as count, 0 as leads from words cross join event e on e.id = words.rowid
         where words match ?${and} limit ${limits.rankedEvents}`,
      )
      .all(phraseExpression(term.words.join(" "), term.prefix), ...parameters) as Row[];
  }
}

/** Where nothing is looked for by words, the newest events that pass. */
function newest(connection: Connection, { where, parameters }: Conditions): Indexed {
  const conditions = where.length === 0 ? "" : `where ${where.join(" and ")}`;
  const rows = connection
    .prepare(
      `select ${columns} from event e ${conditions} order by e.at desc, e.id desc limit ${limits.listedEvents + 1}`,
    )
    .all(...parameters) as Row[];
  return {
    hits: rows.map((row) => ({ ...row, counts: [], leads: false })),
    more: rows.length > limits.listedEvents,
  };
}

const matching = "(select rowid from words where words match ?)";

/** What the query asks of every event, whatever its words. */
function conditionsOf(
  connection: Connection,
  query: Query,
  options: {
    readonly nowMs: number;
    readonly sources: readonly number[] | undefined;
    readonly sought: readonly Sought[];
  },
): Conditions {
  const where: string[] = [];
  const parameters: SqlValue[] = [];
  const add = (condition: string, ...values: readonly SqlValue[]): void => {
    where.push(condition);
    parameters.push(...values);
  };
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
  for (const path of filesAlone(query)) {
    add(
      `e.id in ${matching} and e.what & ${kindBits} = ${kindNumber("tool_use")}`,
      phraseExpression(path),
    );
  }
  const { sources } = options;
  if (sources !== undefined) {
    add("e.source in (select value from json_each(?))", JSON.stringify(sources));
  }
  for (const { use, terms } of options.sought) {
    if (use !== "must") continue;
    const phrases = terms.flatMap((term) =>
      term.kind === "phrase" ? [phraseExpression(term.words.join(" "), term.prefix)] : [],
    );
    add(`e.id in ${matching}`, phrases.join(" OR "));
  }
  const unwanted = unwantedExpression(query);
  if (unwanted !== undefined) add(`e.id not in ${matching}`, unwanted);
  return { where, parameters };
}

function toolNumbers(connection: Connection, value: string): readonly number[] {
  const tools = connection.prepare("select id, name from tool").all() as {
    readonly id: number;
    readonly name: string;
  }[];
  return tools.filter(({ name }) => isTool(name, value)).map(({ id }) => id);
}
