import type { Grouping } from "../../../catalog/usage/grouping.ts";
import type { Prices } from "../../../catalog/usage/prices.ts";
import type { ModelUsage, UsageGroup, UsageReport } from "../../../catalog/usage/report.ts";
import type { Colours } from "../terminal/colours.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { padded, textWidth, truncated } from "../terminal/width.ts";
import { count } from "./count.ts";
import { pathWithin } from "./path-text.ts";

/** What a report needs to know of where it is printed. */
export interface StatsTextOptions {
  readonly by: Grouping;
  readonly colours: Colours;
  readonly out: { readonly isTerminal: boolean; readonly columns: number };
  /** How a group is called; its key where absent. */
  readonly nameOf?: (group: UsageGroup) => string;
  /** The maximum number of groups; the newest or the largest. */
  readonly limit: number;
}

const headings: Readonly<Record<Grouping, string>> = {
  day: "Day",
  week: "Week of",
  month: "Month",
  session: "Session",
  project: "Project",
  agent: "Agent",
  model: "Model",
};

/** A report as a table; on a terminal each line fits its width, with a bar for its share of the cost. */
export function statsText(report: UsageReport, options: StatsTextOptions): string {
  const { colours, out } = options;
  if (report.groups.length === 0) return "No usage.\n";
  const { groups } = report;
  const shown = groupsWithin(report, options);
  const name = (group: UsageGroup): string =>
    `${safeLine(options.nameOf?.(group) ?? group.key)}${daysText(group)}`;
  const allRows = shown.map((group) => [name(group), ...cells(group)]);
  const allTotal = ["Total", ...cells({ ...report.totals, key: "" })];
  const allHead = [headings[options.by], "Input", "Output", "Cache write", "Cache read", "Cost"];
  const kept = columnsWithin([allHead, ...allRows, allTotal], out);
  const keptOf = (row: readonly string[]): readonly string[] => kept.map((column) => row[column]!);
  const [head, rows, total] = [keptOf(allHead), allRows.map(keptOf), keptOf(allTotal)];
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows, total].map((row) => textWidth(row[column]!))),
  );
  const numbers = widths.slice(1).reduce((sum, width) => sum + width + 2, 0);
  const room = out.isTerminal ? Math.max(12, out.columns - numbers - 1) : 60;
  widths[0] = Math.min(widths[0]!, room);
  const barRoom = out.isTerminal ? Math.min(24, out.columns - numbers - widths[0]! - 3) : 0;
  const cut = options.by === "project" ? pathWithin : truncated;
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        column === 0 ? padded(cut(cell, widths[0]!), widths[0]!) : cell.padStart(widths[column]!),
      )
      .join("  ");
  const most = Math.max(...shown.map(weightOf(report)));
  const lines = shown.map((group, index) => {
    const bar = barRoom < 4 ? "" : barOf(weightOf(report)(group) / most, barRoom);
    return `${line(rows[index]!)}${bar === "" ? "" : `  ${colours.cyan(bar)}`}`;
  });
  const rest = groups.length - shown.length;
  return [
    colours.dim(line(head)),
    ...lines,
    colours.bold(line(total)),
    ...(rest > 0 ? [colours.dim(`${rest} more; see them with --limit 0.`)] : []),
    "",
  ].join("\n");
}

/** A name of fewer columns says nothing. */
const nameColumns = 12;

/** The columns a terminal has room for: first what caches took goes, then input and output; names and cost stay. */
function columnsWithin(
  rows: readonly (readonly string[])[],
  out: StatsTextOptions["out"],
): readonly number[] {
  let kept = [0, 1, 2, 3, 4, 5];
  const widthOf = (column: number): number =>
    Math.max(...rows.map((row) => textWidth(row[column] ?? ""))) + 2;
  const taken = (): number =>
    kept.slice(1).reduce((sum, column) => sum + widthOf(column), nameColumns);
  for (const column of [3, 4, 1, 2]) {
    if (out.isTerminal && taken() > out.columns - 1) kept = kept.filter((one) => one !== column);
  }
  return kept;
}

/** As many groups as are wanted: of times the newest, else the largest. */
export function groupsWithin(
  { groups }: UsageReport,
  { by, limit }: Pick<StatsTextOptions, "by" | "limit">,
): readonly UsageGroup[] {
  const isTime = ["day", "week", "month"].includes(by);
  return isTime ? groups.slice(-limit) : groups.slice(0, limit);
}

/** Bars show dollars, or tokens where nothing has a price. */
function weightOf(report: UsageReport): (group: UsageGroup) => number {
  return report.totals.costUsd > 0 ? (group) => group.costUsd : (group) => group.tokens.total;
}

const eighths = " ▏▎▍▌▋▊▉";

function barOf(share: number, columns: number): string {
  const parts = Math.round((Number.isFinite(share) ? share : 0) * columns * 8);
  const rest = parts % 8 === 0 ? "" : eighths[parts % 8]!;
  return `${"█".repeat(Math.floor(parts / 8))}${rest}`;
}

/** How many days of a week or a month are counted, where not all are. */
function daysText({ days }: UsageGroup): string {
  return days === undefined ? "" : ` (${count(days, "day")})`;
}

function cells(group: UsageGroup): readonly string[] {
  const { input, output, cacheWrite, cacheRead } = group.tokens;
  // A 0 would say that it was measured.
  const sent = isWithoutPrompts(group) ? () => "-" : countText;
  return [sent(input), countText(output), sent(cacheWrite), sent(cacheRead), costText(group)];
}

/** A count with its thousands apart. */
export function countText(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Dollars; `~` where some of it was computed from prices, `+` where some of it has no price or was not recorded, `-` where nothing has a cost that is known. */
export function costText(group: Pick<UsageGroup, "costUsd" | "models">): string {
  const used = group.models.filter(({ tokens }) => tokens.total > 0);
  if (used.every(({ costUsd }) => costUsd === undefined) && group.costUsd === 0) return "-";
  const isMore = used.some((one) => one.costUsd === undefined || isWithoutPrompts(one));
  const isComputed = used.some(({ computedUsd = 0 }) => computedUsd > 0);
  return `${isComputed ? "~" : ""}$${group.costUsd.toFixed(2)}${isMore ? "+" : ""}`;
}

/** Whether only answers were recorded: a model cannot answer what it did not read. */
function isWithoutPrompts({ tokens }: Pick<ModelUsage, "tokens">): boolean {
  return tokens.output > 0 && tokens.input + tokens.cacheRead + tokens.cacheWrite === 0;
}

/** Which prices a cost was computed at, for people. */
export function priceSentence({ dated, file }: Prices): string {
  const own = file === undefined ? "" : `${file}, then `;
  return `Cost is what the agents recorded. Where they recorded none, it is computed (~) from ${own}list prices of ${dated}.`;
}

/** What is not in a report, in sentences. */
export function noteSentences(report: UsageReport): readonly string[] {
  const { notes } = report;
  const some = (count: number, one: string, many: string): string[] =>
    count === 0 ? [] : [count === 1 ? `1 ${one}` : `${countText(count)} ${many}`];
  const sentences = [
    ...some(notes.undated, "message has no time (undated).", "messages have no time (undated)."),
    ...some(
      notes.damaged,
      "damaged record with usage was not counted.",
      "damaged records with usage were not counted.",
    ),
    ...some(
      notes.absurd,
      "record has numbers no message can have and was not counted.",
      "records have numbers no message can have and were not counted.",
    ),
    ...some(notes.sealed, "sealed session was not counted.", "sealed sessions were not counted."),
    ...some(notes.unreadable, "file could not be read.", "files could not be read."),
  ];
  const counted = [report.totals, ...report.groups].flatMap(({ models }) => models);
  const answersOnly = new Set(counted.filter(isWithoutPrompts).map(({ model }) => model));
  if (answersOnly.size > 0) {
    const names = [...answersOnly].slice(0, 8).map(safeLine).join(", ");
    sentences.push(
      `Of ${names} only answers were recorded, no prompts: the cost is a minimum (+), and a - was not recorded.`,
    );
  }
  if (notes.unpriced.length > 0) {
    const names = notes.unpriced.slice(0, 8).map(safeLine).join(", ");
    const more = notes.unpriced.length > 8 ? `, ${notes.unpriced.length - 8} more` : "";
    sentences.push(`No price is known for ${names}${more}: tokens only. See --prices.`);
  }
  return sentences;
}

/** A report as comma-separated values, with a header line. */
export function statsCsv(
  report: UsageReport,
  options: Pick<StatsTextOptions, "by" | "nameOf" | "limit">,
): string {
  const { by, nameOf } = options;
  const head = [
    by,
    ...(nameOf === undefined ? [] : ["name"]),
    "agents",
    "messages",
    "input",
    "output",
    "cache_write",
    "cache_read",
    "reasoning",
    "total",
    "cost_usd",
    "unpriced_models",
  ];
  const rows = groupsWithin(report, options).map((group) => {
    const { input, output, cacheWrite, cacheRead, reasoning, total } = group.tokens;
    const unpriced = group.models.filter((one) => one.costUsd === undefined);
    return [
      group.key,
      ...(nameOf === undefined ? [] : [nameOf(group)]),
      group.agents.join(" "),
      group.messages,
      input,
      output,
      cacheWrite,
      cacheRead,
      reasoning,
      total,
      group.costUsd.toFixed(6),
      unpriced.map(({ model }) => model).join(" "),
    ];
  });
  return [head, ...rows].map((row) => `${row.map(field).join(",")}\n`).join("");
}

/** Quoted where it must be; what a spreadsheet would run is kept from it by a quote mark. */
function field(value: string | number): string {
  const text = typeof value === "number" ? String(value) : safeLine(value);
  const inert = typeof value === "string" && /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
