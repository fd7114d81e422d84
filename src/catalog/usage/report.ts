import { monthOf, weekOf } from "../../base/days.ts";
import type { Uncounted } from "../../model/usage-scan.ts";
import { copyFlag, type UsageTable } from "../../model/usage-table.ts";
import type { KnownFile } from "./cache-file.ts";
import { type DayOf, slotMs } from "./calendar.ts";
import type { GatheredUsage } from "./gather.ts";
import type { Grouping } from "./grouping.ts";
import { dollarsFor, type Prices, type Rates, ratesOf } from "./prices.ts";
import { folderOf, ownSession } from "./source.ts";

/** Tokens of a group; `cacheWrite` holds both kinds of writes, reasoning is within the output. */
export interface TokenSums {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly reasoning: number;
  readonly total: number;
}

/** What one model took within a group; no cost where it has no price. */
export interface ModelUsage {
  readonly model: string;
  readonly messages: number;
  readonly tokens: TokenSums;
  readonly costUsd?: number;
  /** How much of the cost was computed from prices; absent where the agents recorded all of it. */
  readonly computedUsd?: number;
}

/** One line of a report. */
export interface UsageGroup {
  /** The day, month, session, … it stands for; `undated` for what has no time. */
  readonly key: string;
  readonly agents: readonly string[];
  readonly messages: number;
  readonly tokens: TokenSums;
  /** Without what has no price. */
  readonly costUsd: number;
  readonly models: readonly ModelUsage[];
  readonly cwd?: string;
  /** How many days of a week or a month the span has that was asked for, where it has not all of them. */
  readonly days?: number;
}

/** A report: its groups, their sum, and what is not in it. */
export interface UsageReport {
  readonly groups: readonly UsageGroup[];
  readonly totals: Omit<UsageGroup, "key">;
  readonly notes: Uncounted & {
    /** Messages without a time; they are in no day, and in no span of time. */
    readonly undated: number;
    /** Models without a price: their tokens count, their cost does not. */
    readonly unpriced: readonly string[];
    readonly files: number;
    readonly readBytes: number;
  };
}

/** Which rows, told apart how, at which prices. */
export interface ReportOptions {
  readonly by: Grouping;
  readonly dayOf: DayOf;
  readonly prices: Prices;
  readonly keeps?: (file: KnownFile) => boolean;
  readonly model?: string;
  /** Whether a moment is in the span that was asked for; all are where absent. */
  readonly within?: (atMs: number) => boolean;
  /** What a file's project is called; its folder where absent. */
  readonly projectOf?: (file: KnownFile) => string;
}

/** Adds the rows of every message up. */
export function reportOf(usage: GatheredUsage, options: ReportOptions): UsageReport {
  const { table, files } = usage;
  const groups = new Groups(table, options);
  const notes = { damaged: 0, absurd: 0, sealed: 0, unreadable: 0, undated: 0, files: 0 };
  for (const known of files) {
    if (options.keeps?.(known) === false) continue;
    notes.files += 1;
    const { uncounted } = known.end;
    notes.damaged += uncounted.damaged;
    notes.absurd += uncounted.absurd;
    notes.sealed += uncounted.sealed;
    notes.unreadable += uncounted.unreadable;
    notes.undated += groups.addFile(known);
  }
  const totals = new Sums(table);
  for (const sums of groups.byKey.values()) totals.addAll(sums);
  const list = [...groups.byKey].map(([key, sums]) => ({ key, ...sums.result() }));
  const total = totals.result();
  const unpriced = total.models.filter((one) => one.costUsd === undefined && one.tokens.total > 0);
  return {
    groups: list.sort(orderOf(options.by)),
    totals: total,
    notes: {
      ...notes,
      unpriced: unpriced.map(({ model }) => model),
      readBytes: usage.readBytes,
    },
  };
}

/** How a row is priced: at the usual rates, at those of long requests, as its program did. */
const pricing = { usual: 0, long: 1, recorded: 2 } as const;

/** Rows of one file that follow each other in one quarter of an hour, of one model, priced alike. */
class Run {
  input = 0;
  output = 0;
  cacheRead = 0;
  cacheWrite = 0;
  cacheWriteHour = 0;
  reasoning = 0;
  messages = 0;
  recordedUsd = 0;
  priced: number = pricing.usual;
}

/** The groups of a report, filled file by file. */
class Groups {
  readonly byKey = new Map<string, Sums>();
  readonly #table: UsageTable;
  readonly #options: ReportOptions;
  readonly #wanted: readonly boolean[] | undefined;
  readonly #rates: readonly Rates[];

  constructor(table: UsageTable, options: ReportOptions) {
    this.#table = table;
    this.#options = options;
    this.#wanted = wantedModels(table, options.model);
    this.#rates = table.models.map((model) => ratesOf(model, options.prices));
  }

  /**
   * Adds the rows of a file; says how many have no time. It runs for every message of a machine, mostly
   * before it is compiled well: so it calls little, names what other files export once, and adds up in whole
   * numbers what follows in one run.
   */
  addFile(known: KnownFile): number {
    const { flags, modelOf, times, tokens, costs } = this.#table;
    const { within } = this.#options;
    const wanted = this.#wanted;
    const [isCopy, perSlot, { usual, long, recorded }] = [copyFlag, slotMs, pricing];
    const end = known.first + known.count;
    let undated = 0;
    let sums: Sums | undefined;
    let [model, fromMs, toMs] = [-1, 0, 0];
    let longAbove: number | undefined;
    let run = new Run();
    for (let row = known.first; row < end; row += 1) {
      if ((flags[row]! & isCopy) !== 0) continue;
      const rowModel = modelOf[row]!;
      if (wanted !== undefined && wanted[rowModel] !== true) continue;
      const atMs = times[row]!;
      const isInSlot = atMs >= fromMs && atMs < toMs;
      if (!isInSlot && Number.isNaN(atMs)) undated += 1;
      if (within !== undefined && (Number.isNaN(atMs) || !within(atMs))) continue;
      if (rowModel !== model) longAbove = this.#rates[rowModel]!.longAbove;
      const at = row * 6;
      const costUsd = costs[row]!;
      let priced: number = usual;
      if (costUsd > 0) priced = recorded;
      else if (longAbove !== undefined) {
        const sent = tokens[at]! + tokens[at + 2]! + tokens[at + 3]! + tokens[at + 4]!;
        if (sent > longAbove) priced = long;
      }
      if (!isInSlot || rowModel !== model || priced !== run.priced) {
        if (run.messages > 0) {
          sums!.add(model, run, this.#rates[model]!);
          run = new Run();
        }
        if (!isInSlot) {
          fromMs = Math.floor(atMs / perSlot) * perSlot;
          toMs = fromMs + perSlot;
        }
        // A group may be a slot's or a model's.
        sums = this.#sumsOf(known, row);
        model = rowModel;
        run.priced = priced;
      }
      run.input += tokens[at]!;
      run.output += tokens[at + 1]!;
      run.cacheRead += tokens[at + 2]!;
      run.cacheWrite += tokens[at + 3]!;
      run.cacheWriteHour += tokens[at + 4]!;
      run.reasoning += tokens[at + 5]!;
      run.messages += 1;
      if (priced === recorded) run.recordedUsd += costUsd;
    }
    if (run.messages > 0) sums!.add(model, run, this.#rates[model]!);
    return undated;
  }

  #sumsOf(known: KnownFile, row: number): Sums {
    const key = fileKey(known, this.#options) ?? rowKey(this.#table, row, this.#options);
    let sums = this.byKey.get(key);
    if (sums === undefined) {
      sums = new Sums(this.#table);
      this.byKey.set(key, sums);
    }
    sums.of(known);
    return sums;
  }
}

/** Six kinds of tokens, messages, dollars, messages with a price, dollars that were computed. */
const cellLength = 10;

function orderOf(by: Grouping): (a: UsageGroup, b: UsageGroup) => number {
  if (by === "day" || by === "week" || by === "month") {
    return (a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
  }
  return (a, b) =>
    b.costUsd - a.costUsd || b.tokens.total - a.tokens.total || (a.key < b.key ? -1 : 1);
}

function wantedModels(table: UsageTable, part: string | undefined): readonly boolean[] | undefined {
  const lower = part?.toLowerCase();
  return lower === undefined
    ? undefined
    : table.models.map((model) => model.toLowerCase().includes(lower));
}

/** Groups that all rows of a file are in. */
function fileKey(known: KnownFile, { by, projectOf }: ReportOptions): string | undefined {
  const { file } = known;
  switch (by) {
    case "session":
      return `${file.agent}:${sessionOf(known)}`;
    case "project":
      return projectOf?.(known) ?? folderOf(known) ?? "(no project)";
    case "agent":
      return file.agent;
    default:
      return undefined;
  }
}

/** The session a file's usage is reported under: a subagent's under its parent. */
export function sessionOf({ file, end }: KnownFile): string {
  const { facts } = end;
  if (file.parent !== undefined) return file.parent;
  return facts.parent ?? ownSession(file, facts);
}

function rowKey(table: UsageTable, row: number, { by, dayOf }: ReportOptions): string {
  if (by === "model") return table.models[table.modelOf[row]!]!;
  const atMs = table.times[row]!;
  if (Number.isNaN(atMs)) return "undated";
  const day = dayOf(atMs);
  return by === "week" ? weekOf(day) : by === "month" ? monthOf(day) : day;
}

/** Sums by model, which are few; a group's are theirs together. */
class Sums {
  readonly #table: UsageTable;
  readonly #models = new Map<number, Float64Array>();
  readonly #agents = new Set<string>();
  #cwd: string | undefined;

  constructor(table: UsageTable) {
    this.#table = table;
  }

  /** The file the next rows come from. */
  of(known: KnownFile): void {
    this.#agents.add(known.file.agent);
    this.#cwd ??= folderOf(known);
  }

  addAll(other: Sums): void {
    for (const [model, added] of other.#models) {
      const sums = this.#cellOf(model);
      for (let index = 0; index < sums.length; index += 1) sums[index]! += added[index]!;
    }
    for (const agent of other.#agents) this.#agents.add(agent);
  }

  /** Adds rows of one model. */
  add(model: number, run: Run, rates: Rates): void {
    const cell = this.#cellOf(model);
    cell[0]! += run.input;
    cell[1]! += run.output;
    cell[2]! += run.cacheRead;
    cell[3]! += run.cacheWrite;
    cell[4]! += run.cacheWriteHour;
    cell[5]! += run.reasoning;
    cell[6]! += run.messages;
    const listed = run.priced === pricing.long ? rates.long : rates.usual;
    const costUsd = run.priced === pricing.recorded ? run.recordedUsd : dollarsFor(run, listed);
    if (Number.isNaN(costUsd)) return;
    cell[7]! += costUsd;
    cell[8]! += run.messages;
    if (run.priced !== pricing.recorded) cell[9]! += costUsd;
  }

  #cellOf(model: number): Float64Array {
    let cell = this.#models.get(model);
    if (cell === undefined) {
      cell = new Float64Array(cellLength);
      this.#models.set(model, cell);
    }
    return cell;
  }

  result(): Omit<UsageGroup, "key"> {
    const models = [...this.#models]
      .map(([model, sums]) => ({
        model: this.#table.models[model]!,
        messages: sums[6]!,
        tokens: tokenSums(sums),
        ...(sums[8]! > 0 && { costUsd: sums[7]! }),
        ...(sums[9]! > 0 && { computedUsd: sums[9]! }),
      }))
      .sort((a, b) => (b.costUsd ?? 0) - (a.costUsd ?? 0) || b.tokens.total - a.tokens.total);
    const all = [...this.#models.values()];
    const sum = (index: number): number => all.reduce((total, sums) => total + sums[index]!, 0);
    return {
      agents: [...this.#agents].sort(),
      messages: sum(6),
      tokens: tokenSums([0, 1, 2, 3, 4, 5].map(sum)),
      costUsd: sum(7),
      models,
      ...(this.#cwd !== undefined && { cwd: this.#cwd }),
    };
  }
}

function tokenSums(sums: Float64Array | readonly number[]): TokenSums {
  const [input = 0, output = 0, cacheRead = 0, minutes = 0, hours = 0, reasoning = 0] = sums;
  const cacheWrite = minutes + hours;
  const total = input + output + cacheRead + cacheWrite;
  return { input, output, cacheRead, cacheWrite, reasoning, total };
}
