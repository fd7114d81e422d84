import type { ByteWindow } from "../../../base/byte-window.ts";
import { RepriseError } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { type ZstdFrame, zstdFrames } from "./zstd-frames.ts";

/**
 * How much a file decodes to at most, by its headers alone. Throws `too_large` if it is over a limit for certain, so
 * that nothing of it is decoded.
 */
export function mostDecodedBytes(file: ByteWindow): number {
  let leastBytes = 0;
  let mostBytes = 0;
  for (const frame of zstdFrames(file)) {
    if (frame.windowBytes > limits.zstdWindowBytes) throw tooLarge("needs too large a window");
    leastBytes += frame.leastBytes;
    mostBytes += frame.mostBytes;
    if (leastBytes > limits.decodedBytes) throw tooLarge("is too large when it is decoded");
  }
  return mostBytes;
}

/**
 * Hands over what a measured file decodes to, piece by piece. Throws `too_large` if that is over a limit, and what
 * the decoder says where the file is damaged: what was handed over before is sound.
 *
 * Not with Node's own decoder: 20 has none, and that of 22 takes a file that was cut short for a whole one.
 */
export async function decodeZstd(
  file: ByteWindow,
  take: (bytes: Uint8Array) => void,
  { mostBytes = limits.decodedBytes }: { readonly mostBytes?: number } = {},
): Promise<void> {
  // The program brings the decoder along; the library has no dependencies.
  const { Decompress } = await import("fzstd").catch((cause: unknown) => {
    throw new RepriseError("unsupported", "This program cannot decode zstd.", { cause });
  });
  let decodedBytes = 0;
  // For every block the decoder moves all of its window.
  let movedBytes = 0;
  let end = 0;
  // Frame by frame: for the next one in the same piece it would call itself.
  for (const frame of zstdFrames(file)) {
    const decoder = new Decompress((bytes) => {
      decodedBytes += bytes.length;
      movedBytes += frame.windowBytes;
      if (decodedBytes > mostBytes) throw tooLarge("is too large when it is decoded");
      if (movedBytes > limits.zstdMovedBytes + decodedBytes * movesPerByte)
        throw tooLarge("takes too long to decode");
      take(bytes);
    });
    movedBytes += frame.windowBytes;
    for (const piece of pieces(file, frame)) decoder.push(piece, false);
    decoder.push(new Uint8Array(0), true);
    ({ end } = frame);
  }
  if (end === 0) throw new Error("invalid zstd data");
}

/** A sound file has few blocks that are not full. */
const movesPerByte = (2 * limits.zstdWindowBytes) / (128 * 1024);

/** The decoder keeps what it is given until it is used, so every piece is its own. */
function* pieces(file: ByteWindow, frame: ZstdFrame): Generator<Uint8Array> {
  for (let at = frame.from; at < frame.end; ) {
    const piece = file.range(at, Math.min(limits.chunkBytes, frame.end - at));
    if (piece.length === 0) return;
    yield piece;
    at += piece.length;
  }
}

function tooLarge(why: string): RepriseError {
  return new RepriseError("too_large", `The compressed session ${why}.`, {
    hint: "Decode it with `zstd -d` and look at it; it is read as it is then.",
  });
}
