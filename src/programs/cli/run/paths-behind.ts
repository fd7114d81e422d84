import type { Command } from "./command.ts";

/** What stands behind `--`, where the command takes paths there. */
export function withoutPaths(
  { pathsBehind }: Command,
  words: readonly string[],
): { readonly rest: readonly string[]; readonly paths?: readonly string[] } {
  const at = pathsBehind ? words.indexOf("--") : -1;
  return at < 0 ? { rest: words } : { rest: words.slice(0, at), paths: words.slice(at + 1) };
}
