import { RepriseError } from "../../base/errors.ts";
import { asArray, isObject } from "../../base/json.ts";
import { readCsv, writeCsv } from "./csv.ts";
import { parseJson } from "./parse-json.ts";
import type { MemoryRecord } from "./record.ts";
import { readXml, writeXml } from "./xml.ts";
import { readYaml, writeYaml } from "./yaml.ts";

/** The formats that memories are exported and imported in. */
export const memoryFormats = ["json", "csv", "xml", "yaml"] as const;
/** One of these formats. */
export type MemoryFormat = (typeof memoryFormats)[number];

/** Writes records in a format, piece by piece. */
export function writeRecords(
  format: MemoryFormat,
  records: Iterable<MemoryRecord>,
): Iterable<string> {
  return writers[format](records);
}

/** Reads the records of a text; throws `bad_input` if it is not of that format. */
export function readRecords(format: MemoryFormat, text: string): Iterable<unknown> {
  return readers[format](text);
}

/** The format that the name of a file says, or undefined. */
export function formatOfName(name: string): MemoryFormat | undefined {
  const end = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase();
  return end === "yml" ? "yaml" : memoryFormats.find((format) => format === end);
}

const writers = { json: writeJson, csv: writeCsv, xml: writeXml, yaml: writeYaml };
const readers = { json: readJson, csv: readCsv, xml: readXml, yaml: readYaml };

function* writeJson(records: Iterable<MemoryRecord>): Generator<string> {
  let lead = '{"memories":[\n';
  for (const record of records) {
    yield lead + JSON.stringify(record);
    lead = ",\n";
  }
  yield lead.startsWith("{") ? '{"memories":[]}\n' : "\n]}\n";
}

function readJson(text: string): readonly unknown[] {
  const value = parseJson(text, "the file");
  if (Array.isArray(value)) return value;
  if (isObject(value) && Array.isArray(value["memories"])) return asArray(value["memories"]);
  throw new RepriseError("bad_input", "The JSON holds no list of memories.");
}
