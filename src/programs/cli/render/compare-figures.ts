import { relative } from "node:path";
import type { Comparison } from "../../../catalog/compare/compare.ts";
import type { LaterStart } from "../../../catalog/compare/later-start.ts";
import type { ComparedCall, ComparedFile, Side } from "../../../catalog/compare/side.ts";
import type { SessionHead } from "../../../model/head.ts";
import { count } from "./count.ts";

/** A comparison with the names of what was compared. */
export interface ShownComparison extends Comparison {
  /** The references as they can be typed again. */
  readonly refs: readonly [string, string];
  readonly heads: readonly [SessionHead, SessionHead];
}

/** One row of figures: what it is, and each side's. */
export type Figure = readonly [label: string, a: string, b: string];

/** Rows that have something to say of branches that do not differ. */
const always: ReadonlySet<string> = new Set(["agent", "model", "no result"]);

/** Whether nothing comes behind what both have. */
function areEqual({ sides }: ShownComparison): boolean {
  return sides.every(({ events }) => events === 0);
}

/** The side that goes on where the other one ends; undefined if both go on, or neither. */
export function loneSide({ sides }: Pick<ShownComparison, "sides">): 0 | 1 | undefined {
  const [a, b] = sides.map((side) => side.prompts + side.answers + side.calls > 0);
  if (a === b) return undefined;
  return a === true ? 0 : 1;
}

/** Whether the two begin with nothing that is the same: then no turn of one answers to a turn of the other. */
export function areUnrelated({ common }: Pick<ShownComparison, "common">): boolean {
  return common.last === undefined;
}

/** What two sides come to, row by row; a row that says nothing on either side is left out, and zeros of a side that ends. */
export function figuresOf(shown: ShownComparison): readonly Figure[] {
  const { sides, heads } = shown;
  const [a, b] = sides;
  const rows: readonly (readonly [string, (side: Side, head: SessionHead) => string])[] = [
    ["agent", (_side, head) => head.agent],
    ["model", (side, head) => side.models.join(", ") || (head.model ?? "")],
    ["prompts", (side) => number(side.prompts)],
    ["answers", (side) => number(side.answers)],
    ["calls", (side) => number(side.calls)],
    ["failed calls", (side) => (side.failed === 0 ? "" : number(side.failed))],
    ["no result", (side) => (side.unanswered === 0 ? "" : number(side.unanswered))],
    ["files changed", (side) => filesText(side.files)],
    ["tokens", (side) => number(side.tokens.total)],
    ["input", (side) => number(side.tokens.input + side.tokens.cacheRead + side.tokens.cacheWrite)],
    ["output", (side) => number(side.tokens.output)],
    ["cost", costText],
    ["time", (side) => (side.durationMs === undefined ? "" : durationText(side.durationMs))],
  ];
  const lone = loneSide(shown);
  const isTold = (label: string, side: 0 | 1): boolean =>
    always.has(label) || lone === undefined || lone === side;
  return rows
    .filter(([label]) => always.has(label) || !areEqual(shown))
    .map(
      ([label, of]): Figure => [
        label,
        isTold(label, 0) ? of(a, heads[0]) : "",
        isTold(label, 1) ? of(b, heads[1]) : "",
      ],
    )
    .filter(([, one, two]) => one !== "" || two !== "");
}

/** The sentence that says up to where both are the same. */
export function commonSentence(shown: ShownComparison): string {
  const ending = endSentence(shown);
  return ending === undefined ? sameSentence(shown) : `${sameSentence(shown)} ${ending}`;
}

/** Says which side ends where the other one goes on; undefined if there is none. */
function endSentence(shown: ShownComparison): string | undefined {
  const lone = loneSide(shown);
  if (lone === undefined || shown.common.last === undefined) return undefined;
  const { prompts, answers, calls } = shown.sides[lone];
  const more = [
    [prompts, "prompt"],
    [answers, "answer"],
    [calls, "call"],
  ] as const;
  const [times, what] = more.find(([number]) => number > 0)!;
  const [ends, continues] = lone === 0 ? ["B", "A"] : ["A", "B"];
  return `${ends} ends here; ${continues} continues with ${count(times, what)}.`;
}

function sameSentence(shown: ShownComparison): string {
  const { common, later } = shown;
  if (common.last === undefined) return "They have nothing in common.";
  const [one, two] = common.last;
  const place = one === two ? `@${one}` : `@${one} and @${two}`;
  if (later !== undefined) return laterSentence(shown, later);
  if (areEqual(shown))
    return `The same conversation from beginning to end, ${items(common.shared)}, up to ${place}.`;
  const said = `The same up to ${place}, ${items(common.shared)}`;
  return common.prompt === undefined
    ? `${said}.`
    : `${said}; the last common prompt is "${common.prompt}".`;
}

/** The same of a branch that begins with what the other one says later. */
function laterSentence({ common }: ShownComparison, later: LaterStart): string {
  const [a, b] = later.from;
  const [one, two] = common.last ?? later.from;
  const [which, other] = later.side === 0 ? ["A", "B"] : ["B", "A"];
  const begins = later.hasSummary
    ? `${which} begins with a summary`
    : `${which} begins later than ${other}`;
  return `${begins}; the same from A @${a} and B @${b} on, ${items(common.shared)}, up to @${one} and @${two}.`;
}

/** Every file that either side changed, with what each did to it. */
export function fileRows({ sides, heads }: ShownComparison): readonly Figure[] {
  const named = sides.map((side, index) => {
    const cwd = heads[index]?.cwd;
    return new Map(side.files.map((file) => [nameOf(file, cwd), file]));
  });
  const names = [...new Set(named.flatMap((files) => [...files.keys()]))].sort();
  return names.map(
    (name): Figure => [name, changeText(named[0]?.get(name)), changeText(named[1]?.get(name))],
  );
}

/** A call on one line. */
export function callText({ name, subject, failed, unanswered }: ComparedCall): string {
  const end = failed === true ? " (failed)" : unanswered === true ? " (no result)" : "";
  return `${name}${subject === "" ? "" : ` ${subject}`}${end}`;
}

function nameOf({ path }: ComparedFile, cwd: string | undefined): string {
  const within = cwd === undefined ? path : relative(cwd, path);
  return within === "" || within.startsWith("..") ? path : within;
}

function changeText(file: ComparedFile | undefined): string {
  if (file === undefined) return "";
  const { action, added, removed, events } = file;
  const last = events.slice(-shownEvents).map((event) => `@${event}`);
  const earlier = events.length > shownEvents ? `${events.length - shownEvents} earlier, ` : "";
  return `${action} +${added} -${removed} ${earlier}${last.join(" ")}`.trimEnd();
}

/** So many of the events that changed a file are named; `--json` has all. */
const shownEvents = 3;

function filesText(files: readonly ComparedFile[]): string {
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  return files.length === 0
    ? "0"
    : `${number(files.length)} (+${number(added)} -${number(removed)})`;
}

function costText({ costUsd, tokens }: Side): string {
  if (costUsd === undefined) return "no price";
  return tokens.total === 0 ? "" : `$${costUsd.toFixed(costUsd < 1 ? 4 : 2)}`;
}

function items(shared: number): string {
  return shared === 1 ? "1 message" : `${number(shared)} messages, calls and results`;
}

function number(value: number): string {
  return value.toLocaleString("en");
}

function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
