import { RepriseError } from "../../../base/errors.ts";

const steps = ["B", "KB", "MB", "GB", "TB"] as const;

/** A size for people: `812 B`, `4.2 KB`, `13 MB`; one KB is 1024 bytes. */
export function sizeText(bytes: number): string {
  let value = bytes;
  let step = 0;
  while (value >= 1024 && step < steps.length - 1) {
    value /= 1024;
    step += 1;
  }
  const digits = step > 0 && value < 10 ? value.toFixed(1) : String(Math.round(value));
  return `${digits} ${steps[step]}`;
}

/** The bytes a user means: `500`, `64KB`, `1.5 GB`. */
export function parseSize(text: string): number {
  const found = /^(\d{1,12}(?:\.\d{1,3})?)\s*(b|kb?|mb?|gb?|tb?)?$/i.exec(text.trim());
  if (found === null) {
    throw new RepriseError("usage", `Not a size: ${text}`, {
      hint: "Write bytes, or 64KB, 500MB, 2GB.",
    });
  }
  const letter = (found[2] ?? "b")[0]!.toUpperCase();
  const power = ["B", "K", "M", "G", "T"].indexOf(letter);
  return Math.round(Number(found[1]) * 1024 ** power);
}
