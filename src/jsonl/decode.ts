import * as buffer from "node:buffer";

/** Shorter texts are decoded before a second call would pay. */
export const longBytes = 1024;

/** A Node without its tables of encodings has no such function. */
const transcode: typeof buffer.transcode | undefined = buffer.transcode;

/** Bytes as text, the same as `toString` makes, sooner where a text is long and not plain ASCII. */
export function decodeUtf8(bytes: Buffer): { readonly text: string; readonly sound: boolean } {
  if (bytes.length < longBytes || transcode === undefined) {
    const text = bytes.toString("utf8");
    // Decoding replaces what is not UTF-8.
    return { text, sound: !text.includes("\ufffd") || buffer.isUtf8(bytes) };
  }
  if (buffer.isAscii(bytes)) return { text: bytes.toString("latin1"), sound: true };
  if (!buffer.isUtf8(bytes)) return { text: bytes.toString("utf8"), sound: false };
  return { text: transcode(bytes, "utf8", "utf16le").toString("utf16le"), sound: true };
}
