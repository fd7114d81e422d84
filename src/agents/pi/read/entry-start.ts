import type { Line } from "../../../jsonl/line.ts";

/** What the first bytes of a line tell of its entry. */
export interface Glance {
  readonly key: string;
  readonly parent?: string | undefined;
}

const beginning =
  /^\{"type":"(?!session"|compaction")\w+","id":"([\w-]+)","parentId":(?:null|"([\w-]+)"),/;
const parentField = Buffer.from(',"parentId":');

/**
 * The place of an entry as its first bytes tell it, if the line looks as pi writes most of them and
 * shows no damage; undefined where it must be parsed. Damage that breaks the JSON in the middle does
 * not show: whoever parses the line later must mind that.
 */
export function glance(line: Line): Glance | undefined {
  const { bytes } = line;
  let end = bytes.length - 1;
  if (bytes[end] === 0x0d) end -= 1;
  if (bytes[end] !== 0x7d) return undefined;
  const found = beginning.exec(bytes.toString("latin1", 0, Math.min(bytes.length, 200)));
  if (found === null) return undefined;
  // Another such field is another record glued on, or at least worth a closer look.
  if (bytes.indexOf(parentField, found[0].length) >= 0 || bytes.includes(0)) return undefined;
  return { key: found[1]!, parent: found[2] };
}
