import { RepriseError } from "../../base/errors.ts";
import { parseJson } from "./parse-json.ts";
import { type MemoryRecord, recordFields } from "./record.ts";

/*
 * XML of one shape: `<memories><memory><key>…</key>…</memory></memories>`, an element for each field, its content JSON.
 * The reader knows no document types and no entities but the five of XML itself: nothing in a file can make it read
 * another one or grow without end.
 */

/** Writes records as XML. */
export function* writeXml(records: Iterable<MemoryRecord>): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<memories>\n';
  for (const record of records) {
    yield "  <memory>\n";
    for (const name of recordFields) {
      if (record[name] === undefined) continue;
      yield `    <${name}>${escaped(JSON.stringify(record[name]))}</${name}>\n`;
    }
    yield "  </memory>\n";
  }
  yield "</memories>\n";
}

/** Reads such XML; throws `bad_input` for any other. */
export function* readXml(text: string): Generator<MemoryRecord> {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw refused("it declares a document type");
  const body = /<memories>([\s\S]*)<\/memories>\s*$/.exec(text);
  if (body === null) throw refused("it has no element `memories`");
  for (const [, fields] of body[1]!.matchAll(/<memory>([\s\S]*?)<\/memory>/g)) {
    const record: Record<string, unknown> = {};
    for (const [, name, content] of fields!.matchAll(/<([A-Za-z]+)>([^<]*)<\/\1>/g))
      record[name!] = parseJson(unescaped(content!), `element ${name}`);
    yield record;
  }
}

const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;" } as const;

/** Characters that XML cannot hold stand as JSON writes them: `\\u0000`. */
function escaped(json: string): string {
  return json
    .replace(/[&<>]/g, (sign) => entities[sign as keyof typeof entities])
    .replace(/[\u007f-\u009f\ufffe\uffff\ud800-\udfff]/g, (sign) =>
      /[\ud800-\udfff]/.test(sign)
        ? sign
        : `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
}

function unescaped(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&amp;", "&");
}

function refused(why: string): RepriseError {
  return new RepriseError("bad_input", `This XML cannot be imported: ${why}.`);
}
