import { randomBytes } from "node:crypto";

/** Hundreds of nanoseconds from the beginning of the calendar of such ids to 1970. */
const calendarTicks = 122_192_928_000_000_000n;
const ticksPerMs = 10_000n;

/** When a checkpoint was made, as its id says (a UUID of version 6); undefined if it is none. */
export function momentOfId(id: string): number | undefined {
  const found = /^([0-9a-f]{8})-([0-9a-f]{4})-6([0-9a-f]{3})-/.exec(id);
  if (found === null) return undefined;
  const ticks = BigInt(`0x${found[1]}${found[2]}${found[3]}`) - calendarTicks;
  return Number(ticks / ticksPerMs);
}

/** An id for a checkpoint made at a moment: ids made later are greater as texts. */
export function checkpointId(ms: number, step: number): string {
  const hex = (BigInt(Math.floor(ms)) * ticksPerMs + calendarTicks).toString(16).padStart(15, "0");
  const sequence = (0x8000 | (step & 0x3fff)).toString(16);
  const node = randomBytes(6).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-6${hex.slice(12)}-${sequence}-${node}`;
}
