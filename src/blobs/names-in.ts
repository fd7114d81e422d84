import { isBlobName } from "./name.ts";

const mark = Buffer.from('"blob":"');
const nameChars = 64;
/** What may be cut off a reference at the end of a piece. */
const overlapBytes = mark.length + nameChars - 1;

/** Every blob name that bytes in pieces refer to, found without parsing them; a name may come twice. */
export function* blobNamesIn(pieces: Iterable<Buffer>): Generator<string> {
  let before = Buffer.alloc(0);
  for (const piece of pieces) {
    const bytes = Buffer.concat([before, piece]);
    for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + mark.length)) {
      const from = at + mark.length;
      const name = bytes.toString("latin1", from, from + nameChars);
      if (isBlobName(name)) yield name;
    }
    before = bytes.subarray(Math.max(0, bytes.length - overlapBytes));
  }
}
