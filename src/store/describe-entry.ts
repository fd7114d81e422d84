import { asArray, isObject, type JsonObject } from "../base/json.ts";
import type { JournalEntry } from "../log/read-journal.ts";
import type { Home } from "./home.ts";
import { ownAgent } from "./own-agent.ts";

/** Something that can be taken back, as people read it. */
export interface UndoableEntry {
  /** The number by which it is taken back. */
  readonly id: number;
  readonly at: string;
  /** What was done: `convert`, `import`, `rewind`, `restore`, `prune`, `mark`, `settings`, `slash-commands`, `source`, `restored-backup`, `memory`. */
  readonly kind: string;
  readonly says: string;
}

/** Says what an entry of one kind did, where the journal alone does not tell it. */
type Description = (home: Home, data: JsonObject) => string;

const descriptions = new Map<string, Description>();

/** Registers how entries of a kind are described. */
export function registerDescription(kind: string, description: Description): void {
  descriptions.set(kind, description);
}

/** Says in words what an entry of the journal of a home did. */
export function describeEntry(home: Home, { id, at, kind, data }: JournalEntry): UndoableEntry {
  const says = descriptions.get(kind)?.(home, data) ?? sentenceOf(kind, data);
  return { id, at, kind, says };
}

/** What was undone and what that did, as one sentence that names once what both name; several steps have a line each. */
export function undoneText(
  { says }: UndoableEntry,
  { did, steps }: { readonly did: string; readonly steps: readonly string[] },
): string {
  if (steps.length > 1) return `Undone: ${says}:\n${steps.map((step) => `  ${step}`).join("\n")}`;
  const named = /^removed (\S+)/.exec(did)?.[1];
  if (named === undefined || !says.startsWith(`${named}, `)) return `Undone: ${says}; ${did}.`;
  return `Undone: removed ${says}${did.slice("removed ".length + named.length)}.`;
}

function sentenceOf(kind: string, data: JsonObject): string {
  const { agent, session, to, from, removed } = data;
  switch (kind) {
    case "mark":
      return `${markedFields(data["change"])} of ${String(agent)}:${String(session)}`;
    case "rewind":
      return `rewind of ${String(session)} to event ${String(to)}`;
    case "restore":
      return `rewind of ${count(data["steps"], "path")} in ${String(data["folder"])}`;
    case "delete":
      if (data["chosen"] !== undefined)
        return `deletion of ${count(1 + asArray(data["parts"]).length, "session")} ${String(data["chosen"])}`;
      return `deletion of ${String(agent)}:${String(session)}`;
    case "prune":
      return `removal of ${asArray(removed).length === 1 ? "1 session" : `${asArray(removed).length} sessions`}`;
    case "import":
      if (Array.isArray(data["sessions"]))
        return `import of ${asArray(data["sessions"]).length} sessions from ${isObject(from) ? from["session"] : "a file"}`;
      return `import of ${isObject(from) ? `${from["agent"]}:${from["path"] ?? from["session"]}` : "a session"} as ${session}`;
    case "restored-backup":
      return `restoring of ${count(data["count"], "session")} from the backup ${String(data["backup"])}`;
    case "source":
      return `${data["change"] === "added" ? "adding" : "removal"} of the source ${String(data["path"])}`;
    case "settings":
      return settingsChange([data, ...asArray(data["parts"]).filter(isObject)]);
    case "slash-commands":
      return `commands inside ${String(agent)}`;
    case "convert":
      return `${isObject(to) ? `${to["agent"]}:${to["session"]}` : "a session"}, written from ${isObject(from) ? `${from["agent"]}:${from["session"]}` : "another"}`;
    default:
      return kind;
  }
}

/** What became of which settings; of all parts that were done in one go, without what is in the home alone. */
function settingsChange(parts: readonly JsonObject[]): string {
  const others = parts.filter(({ agent }) => agent !== ownAgent);
  const told = others.length === 0 ? parts : others;
  const filesIn = (changes: readonly JsonObject[]): readonly string[] => [
    ...new Set(changes.map(({ file }) => String(file))),
  ];
  const files = filesIn(told);
  const place = files.length === 1 ? files[0]! : `${filesIn(parts).length} files`;
  const { about = "hooks", change } = told[0]!;
  const isRemoval = change === "removed";
  if (change === undefined) return `change of ${place}`;
  if (about === "memories")
    return isRemoval
      ? `removal of published memories from ${place}`
      : `publishing of memories into ${place}`;
  const agents = [...new Set(others.map(({ agent }) => String(agent)))].join(", ");
  const what = `${about === "mcp" ? "the MCP server" : "hooks"}${agents === "" ? "" : ` for ${agents}`}`;
  return isRemoval ? `removal of ${what} from ${place}` : `installation of ${what} in ${place}`;
}

function markedFields(change: unknown): string {
  const fields = isObject(change) ? Object.keys(change) : [];
  const names = fields.map((field) => (field === "pinned" ? "pin" : field));
  return names.length === 0 ? "title, tags or pin" : names.join(" and ");
}

function count(value: unknown, what: string): string {
  return value === 1 ? `1 ${what}` : `${String(value ?? 0)} ${what}s`;
}
