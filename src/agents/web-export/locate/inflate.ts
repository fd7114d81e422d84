import { RepriseError } from "../../../base/errors.ts";

type Inflater = typeof import("fflate").Inflate;

let inflater: Inflater | undefined;

/** Loads what unpacks; the program brings it along. */
export async function bringInflater(): Promise<void> {
  inflater ??= (await import("fflate").catch(() => undefined))?.Inflate;
}

/** Unpacks pieces one by one; throws what the decoder says if they are damaged. */
export function inflate(pieces: Iterable<Uint8Array>, take: (bytes: Uint8Array) => void): void {
  if (inflater === undefined)
    throw new RepriseError("unsupported", "This program cannot unpack zip files.", {
      hint: "Unpack it, and name the folder.",
    });
  const decoder = new inflater((bytes) => take(bytes));
  for (const piece of pieces) decoder.push(piece, false);
  decoder.push(new Uint8Array(0), true);
}
