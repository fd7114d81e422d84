import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { gunzipSync } from "node:zlib";

/** A word, and a file that has it. */
export interface Leak {
  readonly word: string;
  readonly file: string;
  /** How it is written there. */
  readonly as: string;
}

/** Every place below a folder where one of the words can be read: as text, in another encoding, or compressed. */
export function leaksOf(words: readonly string[], folder: string): readonly Leak[] {
  const needles = words.flatMap((word) => needlesOf(word).map((needle) => ({ word, ...needle })));
  return filesBelow(folder).flatMap((path) => {
    const file = relative(folder, path);
    const bytes = readFileSync(path);
    const contents = [bytes, ...unpacked(bytes)];
    return needles
      .filter(({ needle }) => contents.some((content) => content.includes(needle)))
      .map(({ word, as }) => ({ word, file, as }));
  });
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function unpacked(bytes: Buffer): readonly Buffer[] {
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? [gunzipSync(bytes)] : [];
}

function needlesOf(word: string): readonly { readonly needle: Buffer; readonly as: string }[] {
  // An index of words leaves out what a word has in common with the one before it.
  const text = word.slice(3);
  const wide = Buffer.from(text, "utf16le");
  return [
    { as: "text", needle: Buffer.from(text) },
    { as: "utf-16", needle: wide },
    { as: "utf-16, the other order", needle: Buffer.from(wide).swap16() },
    { as: "hex", needle: Buffer.from(Buffer.from(text).toString("hex")) },
    ...[0, 1, 2].map((shift) => ({ as: "base64", needle: base64Of(text, shift) })),
  ];
}

/** What base64 has of a text wherever it stands, without the ends, which its neighbours change. */
function base64Of(text: string, shift: number): Buffer {
  const encoded = Buffer.from(`${"x".repeat(shift)}${text}`).toString("base64");
  return Buffer.from(encoded.slice(4, -4));
}
