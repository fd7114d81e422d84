import { RepriseError } from "../../base/errors.ts";
import { parseJson } from "./parse-json.ts";
import { type MemoryRecord, recordFields } from "./record.ts";

/*
 * CSV as RFC 4180 describes it, with a line of names first. Texts stand as they are; what is not a text is JSON, and so is
 * the value of every entry, so that `"8080"` and `8080` stay apart.
 */

const jsonFields: ReadonlySet<string> = new Set([
  "value",
  "tags",
  "metadata",
  "version",
  "sizeBytes",
  "compressed",
  "references",
  "dependencies",
  "evidence",
]);

/** Writes records as CSV. */
export function* writeCsv(records: Iterable<MemoryRecord>): Generator<string> {
  yield `${recordFields.join(",")}\r\n`;
  for (const record of records) {
    const cells = recordFields.map((name) => cellOf(name, record[name]));
    yield `${cells.join(",")}\r\n`;
  }
}

/** Reads CSV with a line of names; throws `bad_input` that names the line it cannot read. */
export function* readCsv(text: string): Generator<MemoryRecord> {
  const rows = rowsOf(text);
  const first = rows.next();
  if (first.done) return;
  const names = first.value;
  let line = 1;
  for (const cells of rows) {
    line += 1;
    if (cells.length === 1 && cells[0] === "") continue;
    const fields = names.flatMap((name, at) => {
      const cell = cells[at];
      if (cell === undefined || cell === "") return [];
      return [[name, jsonFields.has(name) ? parseJson(cell, `line ${line}, ${name}`) : cell]];
    });
    yield Object.fromEntries(fields);
  }
}

function cellOf(name: string, value: unknown): string {
  if (value === undefined) return "";
  const text = jsonFields.has(name) ? JSON.stringify(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function* rowsOf(text: string): Generator<readonly string[]> {
  let cells: string[] = [];
  let at = text.startsWith("\ufeff") ? 1 : 0;
  while (at < text.length) {
    let cell: string;
    if (text[at] === '"') {
      const end = endOfQuoted(text, at + 1);
      cell = text.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
    } else {
      const end = text.slice(at).search(/[,\r\n]/);
      const stop = end < 0 ? text.length : at + end;
      cell = text.slice(at, stop);
      at = stop;
    }
    cells.push(cell);
    if (text[at] === ",") {
      at += 1;
      if (at === text.length) cells.push("");
      continue;
    }
    if (at < text.length && !/[\r\n]/.test(text[at]!))
      throw new RepriseError("bad_input", "A cell of the CSV continues after its quotation mark.");
    if (text[at] === "\r") at += 1;
    if (text[at] === "\n") at += 1;
    yield cells;
    cells = [];
  }
  if (cells.length > 0) yield cells;
}

function endOfQuoted(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  throw new RepriseError("bad_input", "A quoted cell of the CSV does not end.");
}
