import type { FoundSession } from "../../../agents/find-sessions.ts";
import { groupByProject, type ProjectGroup } from "../../../agents/project.ts";
import { shortIds, shortReference } from "../../../agents/reference.ts";
import type { Environment } from "../../../base/env.ts";
import type { WorkDone } from "../../../catalog/blame/work-done.ts";
import type { SessionHead } from "../../../model/head.ts";
import type { Colours } from "../terminal/colours.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { padded, textWidth, truncated } from "../terminal/width.ts";
import { count } from "./count.ts";
import { titleOf } from "./heading.ts";
import { homely, pathWithin } from "./path-text.ts";
import { sizeText } from "./size.ts";
import { relativeTime } from "./time.ts";

/** What a list needs to know of where it is printed. */
export interface ListOptions {
  readonly env: Environment;
  readonly colours: Colours;
  readonly nowMs: number;
  readonly out: { readonly isTerminal: boolean; readonly columns: number };
  /** How many there are, where not all are shown. */
  readonly total: number;
  /** The ids of all of them, so that what is shown of one names it alone; the shown ones if absent. */
  readonly ids?: readonly string[];
  /** Also size and state in words on a terminal, where titles have the room otherwise. */
  readonly long?: boolean;
  /** Also how often a person asked, and the lines that were added and removed. */
  readonly prompts?: boolean;
  readonly lines?: boolean;
  /** In the order given, each with its project; by project if absent. */
  readonly isFlat?: boolean;
  /** What was done in each, as far as it is known. */
  readonly work?: ReadonlyMap<SessionHead, WorkDone>;
}

/** Sessions by project as lines of text; on a terminal each fits its width. */
export function listText(sessions: readonly FoundSession[], options: ListOptions): string {
  if (options.total === 0) return "No sessions.\n";
  const layout = layoutOf(sessions, options);
  const heads = sessions.map(({ head }) => head);
  const rowsOf = (some: readonly SessionHead[]): string =>
    some.map((head) => `${row(head, layout, options)}\n`).join("");
  const blocks =
    options.isFlat === true
      ? [rowsOf(heads)]
      : groupByProject(heads).map(
          (group) => `${groupLine(group, options)}\n${rowsOf(underParents(group.heads))}`,
        );
  const ending = endingOf(heads, options.total);
  if (ending !== "") blocks.push(options.colours.dim(`${ending}\n`));
  return blocks.join("\n");
}

/** How many there are, and what a star says where there is one. */
function endingOf(heads: readonly SessionHead[], total: number): string {
  const all = count(total, "session");
  const isPinned = heads.some(({ pinned }) => pinned === true);
  return [
    ...(heads.length < total ? [`${heads.length} of ${all}. All of them: -n 0`] : []),
    ...(heads.length === total && total > 1 ? [`${all}.`] : []),
    ...(isPinned ? ["* pinned"] : []),
  ].join("\n");
}

/** The same heads with each subagent right under the session it worked for. */
function underParents(heads: readonly SessionHead[]): readonly SessionHead[] {
  const known = new Set(heads.map(({ session }) => session));
  const parentOf = ({ relation }: SessionHead): string | undefined =>
    relation?.kind === "subagent" && known.has(relation.session) ? relation.session : undefined;
  return heads
    .filter((head) => parentOf(head) === undefined)
    .flatMap((head) => [head, ...heads.filter((child) => parentOf(child) === head.session)]);
}

type Column = "agent" | "age" | "size" | "state" | "prompts" | "lines" | "project";

interface Layout {
  readonly ids: ReadonlyMap<string, string>;
  readonly idWidth: number;
  readonly titleWidth: number;
  readonly columns: ReadonlyMap<Column, number>;
  /** The projects' names, if the list is not by project. */
  readonly projects: ReadonlyMap<SessionHead, string>;
}

/** A title of fewer columns says little: columns that nobody asked for make room for it, and others for a few letters. */
const minTitleWidth = 24;
const leastTitleWidth = 8;
const pipedTitleWidth = 72;

const projectColumns = 24;

/** A longer id takes room of its own title, not of all. */
const idColumns = 13;

/** Which columns there is room for: on a narrow terminal first the size goes, then state, age and agent. */
function layoutOf(sessions: readonly FoundSession[], options: ListOptions): Layout {
  const { out, ids, long } = options;
  const shown = sessions.map(({ head }) => head.session);
  const short = shortIds(ids ?? shown, shown);
  const widest = Math.max(...sessions.map(({ head }) => textWidth(idText(head, short))));
  const idWidth = Math.min(idColumns, widest);
  const columns = new Map<Column, number>([
    ["agent", Math.max(...sessions.map(({ head }) => head.agent.length))],
    ["age", 10],
    ["size", 7],
    ["state", 11],
  ]);
  for (const column of ["prompts", "lines"] as const) {
    const texts = sessions.map(({ head }) => workText(options.work?.get(head), column));
    if (options[column]) columns.set(column, Math.max(...texts.map(textWidth)));
  }
  const projects =
    options.isFlat === true ? projectNames(sessions) : new Map<SessionHead, string>();
  if (options.isFlat === true) {
    const widths = [...projects.values()].map(textWidth);
    columns.set("project", Math.min(projectColumns, Math.max(...widths)));
  }
  if (!out.isTerminal)
    return { ids: short, idWidth, titleWidth: pipedTitleWidth, columns, projects };
  if (!long) for (const column of ["size", "state"] as const) columns.delete(column);
  const room = (): number =>
    [...columns.values()].reduce((rest, width) => rest - width - 2, out.columns - idWidth - 5);
  for (const column of ["project", "size", "state", "age", "agent"] as const) {
    if (room() < minTitleWidth) columns.delete(column);
  }
  for (const column of ["lines", "prompts"] as const) {
    if (room() < leastTitleWidth) columns.delete(column);
  }
  return { ids: short, idWidth, titleWidth: Math.max(leastTitleWidth, room()), columns, projects };
}

/** What was done, such as `12 prompts` or `+120 -34`. */
function workText(work: WorkDone | undefined, column: "prompts" | "lines"): string {
  if (work === undefined) return "";
  if (column === "prompts") return count(work.prompts, "prompt");
  return work.lines === undefined ? "" : `+${work.lines.added} -${work.lines.removed}`;
}

/** What the project of each session is called. */
function projectNames(sessions: readonly FoundSession[]): ReadonlyMap<SessionHead, string> {
  const groups = groupByProject(sessions.map(({ head }) => head));
  return new Map(
    groups.flatMap(({ name, heads }) => heads.map((head) => [head, safeLine(name)] as const)),
  );
}

function idText(head: SessionHead, short: ReadonlyMap<string, string>): string {
  return safeLine(short.get(head.session) ?? head.session);
}

/** The project's name and as much of its path as fits, its end first. */
function groupLine(group: ProjectGroup, { colours, env, out }: ListOptions): string {
  const whole = safeLine(group.name);
  const name = out.isTerminal ? truncated(whole, out.columns) : whole;
  const path = safeLine(group.path === undefined ? "" : homely(group.path, env));
  const room = out.isTerminal ? out.columns - textWidth(name) - 2 : Number.POSITIVE_INFINITY;
  const isWorthIt = path !== "" && room >= leastTitleWidth;
  return `${colours.bold(name)}${isWorthIt ? `  ${colours.dim(pathWithin(path, room))}` : ""}`;
}

function row(head: SessionHead, layout: Layout, options: ListOptions): string {
  const { colours, nowMs } = options;
  const branch = head.relation?.kind === "subagent" ? "└ " : "";
  const isMarked = !layout.columns.has("state");
  const left = isMarked && head.state === "interrupted" ? "~ " : "";
  const kind = isMarked && head.kind !== undefined ? `(${head.kind}) ` : "";
  const marks = `${branch}${head.pinned ? "* " : ""}${head.problem === undefined ? left : "! "}${kind}`;
  const tags = (head.tags ?? []).map((tag) => ` #${tag}`).join("");
  const id = idText(head, layout.ids);
  const room = Math.max(
    leastTitleWidth,
    layout.titleWidth - Math.max(0, textWidth(id) - layout.idWidth),
  );
  const copy = head.copyOf === undefined ? "" : `(copy of ${shortReference(head.copyOf)}) `;
  const said = safeLine(`${marks}${copy}${titleOf(head)}`);
  const tagged = truncated(safeLine(tags), Math.floor(room / 2));
  const title = `${truncated(said, room - textWidth(tagged))}${tagged}`;
  const cells = [...layout.columns].map(([column, width]) => cell(column, width));
  return [`  ${colours.cyan(padded(id, layout.idWidth))}`, ...cells, title].join("  ");

  function cell(column: Column, width: number): string {
    switch (column) {
      case "agent":
        return padded(head.agent, width);
      case "age":
        return colours.dim(padded(relativeTime(Date.parse(head.updatedAt), nowMs), width));
      case "size":
        return colours.dim((head.sizeBytes === 0 ? "" : sizeText(head.sizeBytes)).padStart(width));
      case "state":
        return stateText(head, { width, colours });
      case "project":
        return padded(truncated(layout.projects.get(head) ?? "", width), width);
      case "prompts":
      case "lines":
        return colours.dim(workText(options.work?.get(head), column).padStart(width));
    }
  }
}

function stateText(
  head: SessionHead,
  { width, colours }: { readonly width: number; readonly colours: Colours },
): string {
  if (head.kind !== undefined) return colours.dim(padded(head.kind, width));
  const text = padded(head.state === "unknown" ? "" : head.state, width);
  if (head.state === "interrupted") return colours.yellow(text);
  return head.state === "waiting" ? colours.green(text) : colours.dim(text);
}
