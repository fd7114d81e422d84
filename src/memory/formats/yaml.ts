import { RepriseError } from "../../base/errors.ts";
import { type MemoryRecord, recordFields } from "./record.ts";

/*
 * YAML of one shape: a list of mappings, a line for each field, its value JSON, which is YAML as well. The reader takes
 * plain texts too, so that a list written by hand can be imported.
 */

/** Writes records as YAML. */
export function* writeYaml(records: Iterable<MemoryRecord>): Generator<string> {
  let isEmpty = true;
  for (const record of records) {
    isEmpty = false;
    let lead = "- ";
    for (const name of recordFields) {
      if (record[name] === undefined) continue;
      yield `${lead}${name}: ${oneLine(JSON.stringify(record[name]))}\n`;
      lead = "  ";
    }
  }
  if (isEmpty) yield "[]\n";
}

/** Reads such YAML; throws `bad_input` that names the line it cannot read. */
export function* readYaml(text: string): Generator<MemoryRecord> {
  let record: Record<string, unknown> | undefined;
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(?:#|$)/.test(line) || line === "---" || line === "[]") continue;
    const field = /^(- | {2})\s*([A-Za-z]+):(?:\s+(.*))?$/.exec(line);
    if (field === null || (record === undefined && field[1] !== "- ")) throw refused(at + 1);
    if (field[1] === "- ") {
      if (record !== undefined) yield record;
      record = {};
    }
    record![field[2]!] = scalar(field[3] ?? "");
  }
  if (record !== undefined) yield record;
}

function scalar(text: string): unknown {
  const trimmed = text.trim();
  try {
    return JSON.parse(trimmed);
  } catch {
    // A plain text, or one in single quotation marks.
    const quoted = /^'((?:[^']|'')*)'$/.exec(trimmed);
    return quoted === null ? trimmed : quoted[1]!.replaceAll("''", "'");
  }
}

/** JSON leaves these as they are; YAML takes them for ends of lines. */
function oneLine(json: string): string {
  return json.replace(
    /[\u0085\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function refused(line: number): RepriseError {
  return new RepriseError("bad_input", `Line ${line} of the YAML cannot be read.`, {
    hint: "Write a list of mappings, a line for each field: `- key: …`, then `  value: …`.",
  });
}
