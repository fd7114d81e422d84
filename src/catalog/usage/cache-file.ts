import { asArray, isObject, parseObject } from "../../base/json.ts";
import { readRegular } from "../../base/open-file.ts";
import { newline } from "../../jsonl/line.ts";
import type { ScanEnd } from "../../model/usage-scan.ts";
import { UsageTable } from "../../model/usage-table.ts";
import type { Home } from "../../store/home.ts";
import { cachePath } from "./cache-path.ts";
import type { CountedAgents } from "./counted-agents.ts";
import type { UsageFile } from "./source.ts";

/** A file whose rows are known, as it was when they were taken. */
export interface KnownFile {
  readonly file: UsageFile;
  readonly end: Pick<ScanEnd, "facts" | "uncounted">;
  readonly first: number;
  readonly count: number;
}

/** What reading on needs; kept apart, because a report over unchanged files does not. */
export interface KnownEnd {
  readonly offset: number;
  readonly tailRows: number;
  readonly carry?: ScanEnd["carry"];
  /** A hash around the offset: another one means that the file was rewritten. */
  readonly proof: string;
}

/** The rows of every file, as the last report left them. */
export interface UsageCache {
  readonly table: UsageTable;
  readonly files: readonly KnownFile[];
  /** In the order of `files`. */
  ends(): readonly KnownEnd[];
}

/** The shape of the file: two lines of JSON, then the columns. */
const format = 1;

/** What the last report left; undefined if there is nothing, or nothing that can be trusted. */
export function readUsageCache(home: Home, agents: CountedAgents): UsageCache | undefined {
  try {
    const bytes = readRegular(cachePath(home));
    const firstEnd = bytes.indexOf(newline);
    const secondEnd = bytes.indexOf(newline, firstEnd + 1);
    const head = parseObject(bytes.toString("latin1", 0, firstEnd));
    if (head?.["format"] !== format || !isObject(head["versions"])) return undefined;
    const models = asArray(head["models"]) as readonly string[];
    const table = UsageTable.fromBytes(bytes.subarray(secondEnd + 1), models);
    if (table === undefined || table.length !== head["rows"]) return undefined;
    const versions = head["versions"];
    const files = (asArray(head["files"]) as readonly KnownFile[]).filter(({ file: { agent } }) => {
      const now = agents.get(agent)?.usage.version;
      // An agent that is gone stays known, so that its going is noticed.
      return now === undefined || versions[agent] === now;
    });
    const all = asArray(head["files"]).length;
    const ends = (): readonly KnownEnd[] => {
      const parsed: unknown = JSON.parse(bytes.toString("latin1", firstEnd + 1, secondEnd));
      const list = asArray(parsed) as readonly KnownEnd[];
      if (files.length === all) return list;
      const kept = new Set(files);
      return list.filter((_, index) => kept.has((asArray(head["files"]) as KnownFile[])[index]!));
    };
    return { table, files, ends };
  } catch {
    return undefined;
  }
}

/** The pieces of the file; the columns begin where eight bytes are aligned. */
export function cachePieces(
  table: UsageTable,
  files: readonly KnownFile[],
  ends: readonly KnownEnd[],
  agents: CountedAgents,
): readonly Uint8Array[] {
  const versions = Object.fromEntries(
    [...agents].map(([name, { usage }]) => [name, usage.version]),
  );
  const head = { format, versions, models: table.models, rows: table.length, files };
  const text = `${JSON.stringify(head)}\n${JSON.stringify(ends)}`;
  const lines = Buffer.from(text.replace(beyondAscii, escaped), "latin1");
  const blanks = " ".repeat(7 - (lines.length % 8));
  return [lines, Buffer.from(`${blanks}\n`), table.toBytes()];
}

// ASCII alone is read back several times faster: nothing has to be decoded.
const beyondAscii = /[\u0080-\uffff]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
