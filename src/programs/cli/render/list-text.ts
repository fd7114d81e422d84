import { groupByProject, type ProjectGroup } from "../../../agents/project.ts";
import type { Environment } from "../../../base/env.ts";
import type { SessionHead } from "../../../model/head.ts";
import type { Colours } from "../colours.ts";
import { shortId } from "../reference.ts";
import type { FoundSession } from "../sessions.ts";
import { sizeText } from "../size.ts";
import { safeLine } from "../terminal-text.ts";
import { relativeTime } from "../time.ts";
import { padded, truncated } from "../width.ts";
import { titleOf } from "./heading.ts";

/** What a list needs to know of where it is printed. */
export interface ListOptions {
  readonly env: Environment;
  readonly colours: Colours;
  readonly nowMs: number;
  readonly out: { readonly isTerminal: boolean; readonly columns: number };
  /** How many there are, where not all are shown. */
  readonly total: number;
}

/** Sessions by project as lines of text; on a terminal each fits its width. */
export function listText(sessions: readonly FoundSession[], options: ListOptions): string {
  if (sessions.length === 0) return "No sessions.\n";
  const widths = columnWidths(sessions, options);
  const groups = groupByProject(sessions.map(({ head }) => head));
  const blocks = groups.map((group) => {
    const rows = underParents(group.heads).map((head) => row(head, widths, options));
    return `${groupLine(group, options)}\n${rows.join("\n")}\n`;
  });
  const rest = options.total - sessions.length;
  if (rest > 0) {
    blocks.push(options.colours.dim(`${rest} more; see them with --all or --limit.\n`));
  }
  return blocks.join("\n");
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

interface Widths {
  readonly id: number;
  readonly agent: number;
  readonly title: number;
  /** On a narrow terminal the title needs the room more than the size does. */
  readonly hasSize: boolean;
}

const ageWidth = 10;
const sizeWidth = 7;
const stateWidth = 11;

function columnWidths(sessions: readonly FoundSession[], { out }: ListOptions): Widths {
  const id = Math.max(...sessions.map(({ head }) => shortId(safeLine(head.session)).length));
  const agent = Math.max(...sessions.map(({ head }) => head.agent.length));
  const hasSize = !out.isTerminal || out.columns >= 100;
  const others = 2 + id + 2 + agent + 2 + ageWidth + 2 + stateWidth + 2;
  const room = out.columns - others - (hasSize ? sizeWidth + 2 : 0) - 1;
  return { id, agent, hasSize, title: out.isTerminal ? Math.max(16, room) : 72 };
}

function groupLine(group: ProjectGroup, { colours, env }: ListOptions): string {
  const path =
    group.path === undefined ? "" : `  ${colours.dim(safeLine(homely(group.path, env)))}`;
  return `${colours.bold(safeLine(group.name))}${path}`;
}

/** A path with the home folder written `~`. */
export function homely(path: string, env: Environment): string {
  return path === env.home || path.startsWith(`${env.home}/`)
    ? `~${path.slice(env.home.length)}`
    : path;
}

function row(head: SessionHead, widths: Widths, { colours, nowMs }: ListOptions): string {
  const age = relativeTime(Date.parse(head.updatedAt), nowMs);
  const branch = head.relation?.kind === "subagent" ? "└ " : "";
  const marks = `${branch}${head.pinned ? "* " : ""}${head.problem === undefined ? "" : "! "}`;
  const tags = (head.tags ?? []).map((tag) => ` #${tag}`).join("");
  const title = truncated(safeLine(`${marks}${titleOf(head)}${tags}`), widths.title);
  return [
    `  ${colours.cyan(padded(shortId(safeLine(head.session)), widths.id))}`,
    padded(head.agent, widths.agent),
    colours.dim(padded(age, ageWidth)),
    ...(widths.hasSize ? [colours.dim(sizeText(head.sizeBytes).padStart(sizeWidth))] : []),
    stateText(head, colours),
    title,
  ].join("  ");
}

function stateText(head: SessionHead, colours: Colours): string {
  const text = padded(head.state === "unknown" ? "" : head.state, stateWidth);
  if (head.state === "interrupted") return colours.yellow(text);
  return head.state === "waiting" ? colours.green(text) : colours.dim(text);
}
