import type { FlagValues } from "./command.ts";

/** How many `--limit` asks for: 0 for all, the usual number where it is not given. */
export function limitFrom(flags: FlagValues, usual: number): number {
  const asked = flags.number("limit") ?? usual;
  return asked === 0 ? Number.POSITIVE_INFINITY : asked;
}
