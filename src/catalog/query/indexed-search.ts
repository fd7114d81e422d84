import { limits } from "../../base/limits.ts";
import type { Connection, SqlValue } from "../../sqlite/connection.ts";
import { asksFact, factBit, kindBits } from "../index/event-facts.ts";
import { kindNumber, roles } from "../index/kind.ts";
import { isTool, type NamedTool } from "../index/tool-name.ts";
import { asked, workingOn } from "./file-path.ts";
import { phraseExpression, unwantedExpression } from "./match-expression.ts";
import type { Order } from "./order.ts";
import { countAt, leadsAt, type Posting, postingsOf } from "./postings.ts";
import { type Promising, promising, type Thing } from "./promising.ts";
import { filesAlone, type Query } from "./query.ts";
import { countHaving, type Hit } from "./rank.ts";
import { timesOf } from "./session-filter.ts";
import { type Sought, soughtIn } from "./sought.ts";

/** What the index found; `more` where it holds more than is ranked. */
export interface Indexed {
  readonly hits: readonly Hit[];
  readonly more: boolean;
  /** About how many events besides have each thing that is looked for: those that were not promising enough. */
  readonly left: readonly number[];
}

interface Conditions {
  readonly where: readonly string[];
  readonly parameters: readonly SqlValue[];
}

/** What is asked of the index besides words. */
export interface IndexOptions {
  readonly nowMs: number;
  /** The sessions that are asked about; undefined for all. */
  readonly sources: readonly number[] | undefined;
  /** How many events there are. */
  readonly events: number;
  /** Looks at about so many events, the most promising ones; at all unless given. */
  readonly most?: number;
  /** Where no words are looked for: whether the newest or the oldest events are wanted. */
  readonly order?: Order;
}

type Row = Omit<Hit, "counts" | "leads"> & { readonly id: number };

const columns = "e.id, e.source, e.number, e.place, e.what, e.at";

/** Asks the index. */
export function searchIndex(connection: Connection, query: Query, options: IndexOptions): Indexed {
  const sought = soughtIn(query);
  const conditions = conditionsOf(connection, query, { ...options, sought });
  if (sought.length === 0) return inTime(connection, conditions, options.order);
  const { most = Number.POSITIVE_INFINITY, events } = options;
  const all = postingsOf(connection, sought, { most: most * placesForEach });
  const things = sought.map(
    ({ weight, use }, at): Thing => ({ postings: all[at]!, weight, onlyAdds: use === "adds" }),
  );
  let chosen: Promising;
  let rows: readonly Row[];
  // Where few of the promising ones pass, more of them are tried.
  for (let tried = most; ; tried *= 4) {
    chosen = promising(things, { most: tried, events });
    rows = factsOf(connection, chosen.events, conditions);
    if (!chosen.isCut || rows.length >= most / 4) break;
  }
  const found = new Map<number, Found>();
  for (const { id, ...facts } of rows)
    found.set(id, { ...facts, counts: Array<number>(sought.length).fill(0), leads: false });
  for (const [index, { postings }] of things.entries())
    for (const posting of postings) addCounts(found, posting, index);
  const hits = [...found.values()];
  const passed = rows.length / Math.max(1, chosen.events.length);
  const left = chosen.having.map((having, index) =>
    chosen.isCut ? Math.max(0, Math.round(having * passed) - countHaving(hits, index)) : 0,
  );
  const more = things.some(({ postings }) =>
    postings.some((one) => one.events.length >= limits.rankedEvents),
  );
  return { hits, more, left };
}

/** How many places are gone through for each event that is looked at. */
const placesForEach = 32;

type Found = Hit & { readonly counts: number[]; leads: boolean };

function addCounts(found: ReadonlyMap<number, Found>, posting: Posting, index: number): void {
  posting.events.forEach((event, at) => {
    const hit = found.get(event);
    if (hit === undefined) return;
    hit.counts[index]! += countAt(posting, at);
    if (leadsAt(posting, at)) hit.leads = true;
  });
}

/** What the index knows of events, if they pass. */
function factsOf(
  connection: Connection,
  ids: readonly number[],
  { where, parameters }: Conditions,
): readonly Row[] {
  const and = where.map((condition) => ` and ${condition}`).join("");
  const row = connection
    .prepare(
      `select json_group_array(json_array(${columns})) as rows
       from json_each(?) w cross join event e on e.id = w.value where true${and}`,
    )
    .get(JSON.stringify(ids), ...parameters) as { readonly rows: string };
  return (JSON.parse(row.rows) as RowValues[]).map(([id, source, number, place, what, at]) => {
    return { id, source, number, place, what, at };
  });
}

type RowValues = [number, number, string, number, number, number | null];

/** Where nothing is looked for by words, the newest events that pass, or the oldest. */
function inTime(
  connection: Connection,
  { where, parameters }: Conditions,
  order: Order | undefined,
): Indexed {
  const direction = order === "oldest" ? "asc" : "desc";
  const conditions = where.length === 0 ? "" : `where ${where.join(" and ")}`;
  const rows = connection
    .prepare(
      `select ${columns} from event e ${conditions} order by e.at is null, e.at ${direction}, e.id ${direction} limit ${limits.listedEvents + 1}`,
    )
    .all(...parameters) as Row[];
  return {
    hits: rows.map((row) => ({ ...row, counts: [], leads: false })),
    more: rows.length > limits.listedEvents,
    left: [],
  };
}

const matching = "(select rowid from words where words match ?)";

/** What the query asks of every event, whatever its words. */
function conditionsOf(
  connection: Connection,
  query: Query,
  options: IndexOptions & { readonly sought: readonly Sought[] },
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
    add(`e.id in (select event from (${workingOn}))`, asked(path), asked(path));
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
  const tools = connection.prepare("select id, name as tool, act from tool").all();
  return (tools as (NamedTool & { readonly id: number })[])
    .filter((tool) => isTool(tool, value))
    .map(({ id }) => id);
}
