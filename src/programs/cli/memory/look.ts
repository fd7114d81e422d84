import type { AuditLine } from "../../../memory/audit.ts";
import { memoryFolder, namedNamespace, namespaceFile } from "../../../memory/namespace.ts";
import {
  type Grouping,
  groupings,
  type MemoryGroup,
  type MemoryStatistics,
} from "../../../memory/statistics.ts";
import { homely } from "../render/path-text.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { foundNothing, isFiltered } from "../run/nothing-found.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { elsewhereText, namespaceLabels } from "./elsewhere.ts";
import { oneOf } from "./one-of.ts";
import { entryLine, entryText, valueText } from "./text.ts";
import { memoryOf, queryOf } from "./wanted.ts";

/** Lists memories: those of the words and flags, or what waits in the inbox. */
export async function listMemories(
  invocation: Invocation,
  context: CommandContext,
  inbox = false,
): Promise<void> {
  const words = invocation.args.slice(1);
  const query = queryOf(words, invocation.flags, context.nowMs);
  const asked = inbox ? { ...query, statuses: ["proposed"] as const } : query;
  const memory = memoryOf(invocation, context);
  const found = await memory.query(asked);
  if (found.total === 0 && isFiltered(invocation, words)) foundNothing();
  if (context.json) return context.out.writeJson(found);
  if (found.total === 0) {
    await context.out.write(inbox ? "The inbox is empty.\n" : "No memories found.\n");
    if (words.length > 0)
      context.out.note("Every word must occur in a memory; `reprise recall` answers questions.");
    const status = inbox ? "proposed" : "kept";
    const { total: known } = await memory.query({ statuses: [status], limit: 0 });
    const elsewhere = known > 0 ? undefined : await elsewhereText(invocation, context, status);
    if (elsewhere !== undefined) context.out.note(elsewhere);
    return;
  }
  const labels = namespaceLabels(context);
  const lines = found.entries.map((entry) => {
    const isOwn = entry.namespace === memory.namespace.name;
    const line = entryLine(entry, isOwn ? undefined : labels.get(entry.namespace));
    return inbox ? `${entry.id}  ${line}` : line;
  });
  const more = found.total - found.entries.length;
  await context.out.write(
    lines.join("") + (more > 0 ? `${more} more; --limit and --offset show them.\n` : ""),
  );
}

/** Shows one memory with everything known of it. */
export async function getMemory(invocation: Invocation, context: CommandContext): Promise<void> {
  const memory = memoryOf(invocation, context);
  const found = await memory.find(invocation.args[1] ?? "");
  const entry = (await memory.get(found.id)) ?? found;
  if (context.json) return context.out.writeJson(entry);
  const folder = memoryFolder(memory.home.root);
  const file = namespaceFile(folder, namedNamespace(entry.namespace, folder));
  await context.out.write(entryText(entry, homely(file, context.env)));
}

/** Shows every version of a memory, the newest first. */
export async function memoryHistory(
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const memory = memoryOf(invocation, context);
  const { id } = await memory.find(invocation.args[1] ?? "");
  const versions = await memory.history(id);
  if (context.json) return context.out.writeJson({ versions });
  const lines = versions.map(
    ({ version, at, by, value, status }) =>
      `${version}  ${at}  ${safeLine(by)}  ${status}  ${valueText(value)}\n`,
  );
  await context.out.write(lines.join(""));
}

/** Shows who changed what, the newest first. */
export async function memoryAudit(invocation: Invocation, context: CommandContext): Promise<void> {
  const limit = invocation.flags.number("limit") ?? 100;
  const lines = await memoryOf(invocation, context).audit(limit);
  if (context.json) return context.out.writeJson({ changes: lines });
  const text = lines.map((line) => {
    const { at, by, action, key, ids } = line;
    const what = action === "forget" ? forgottenText(line) : (key ?? ids.join(" "));
    return `${at}  ${safeLine(by)}  ${action}  ${safeLine(what)}\n`;
  });
  await context.out.write(text.join(""));
}

/** What was forgotten: its types and ids are all that is left of it. */
function forgottenText({ ids, types }: AuditLine): string {
  const each = ids.map((id, at) => `${types?.[at] ?? ""} ${id}`.trimStart());
  return `${each.join(", ")}: forgotten for good`;
}

/** Counts memories, by something they have in common or as a report. */
export async function memoryStatistics(
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const memory = memoryOf(invocation, context);
  const by = invocation.flags.text("by");
  if (by === undefined) {
    const statistics = await memory.statistics();
    if (context.json) return context.out.writeJson(statistics);
    await context.out.write(statisticsText(statistics));
    return;
  }
  const grouping: Grouping = oneOf("by", by, groupings);
  const query = queryOf(invocation.args.slice(1), invocation.flags, context.nowMs);
  const groups = await memory.group(grouping, query);
  if (context.json) return context.out.writeJson({ by: grouping, groups });
  const lines = groups.map(
    ({ name, count, sizeBytes }) =>
      `${String(count).padStart(7)}  ${safeLine(name)}  ${sizeBytes} bytes\n`,
  );
  await context.out.write(lines.join(""));
  const elsewhere =
    groups.length > 0 ? undefined : await elsewhereText(invocation, context, "kept");
  if (elsewhere !== undefined) context.out.note(elsewhere);
}

function statisticsText(statistics: MemoryStatistics): string {
  const { overview, distribution, temporal, performance, health } = statistics;
  const groups = Object.entries(distribution)
    .filter(([, some]) => some.length > 0)
    .map(([name, some]) => `${name}: ${some.slice(0, shownGroups).map(groupText).join(", ")}`);
  const span =
    temporal.oldest === undefined
      ? []
      : [`from ${temporal.oldest.slice(0, 10)} to ${temporal.newest?.slice(0, 10)}`];
  return [
    `${overview.entries} memories, ${overview.sizeBytes} bytes, ${overview.versions} versions; ${overview.proposed} in the inbox, ${overview.archived} archived`,
    ...groups,
    ...span,
    `changed: ${temporal.lastDay} in the last day, ${temporal.lastWeek} in the last week; ${temporal.neverAccessed} never looked at`,
    `size: ${performance.averageBytes} bytes on average, the largest has ${performance.largestBytes}; compressed: ${performance.compressed}`,
    `on disk: logs ${performance.logBytes} bytes, index ${performance.indexBytes} bytes; a query took ${performance.queryMs} ms`,
    `health: ${health.expired} expired, ${health.orphaned} with missing references, ${health.stale} stale, ${health.damaged} damaged`,
    "",
  ].join("\n");
}

const shownGroups = 8;

function groupText({ name, count }: MemoryGroup): string {
  return `${safeLine(name)} ${count}`;
}
