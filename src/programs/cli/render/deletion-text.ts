import type { Environment } from "../../../base/env.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { count } from "./count.ts";
import { homely } from "./path-text.ts";
import { sizeText } from "./size.ts";

/** What goes with a session. */
export interface Deleted {
  readonly files: readonly string[];
  readonly pieces: readonly { readonly path: string }[];
  readonly rows: number;
  readonly sizeBytes: number;
}

/** What goes with a session, part by part, up to a maximum of files by name. */
export function deletedParts(
  { files, pieces, rows }: Omit<Deleted, "sizeBytes">,
  env: Environment,
  most: number,
): readonly string[] {
  const more = files.length - most;
  return [
    ...files.slice(0, most).map((path) => safeLine(homely(path, env))),
    ...(more > 0 ? [`and ${count(more, "more file")}`] : []),
    ...pieces.map(({ path }) => `its part of ${safeLine(homely(path, env))}`),
    ...(rows > 0 ? [`${count(rows, "row")} of a database`] : []),
  ];
}

/** How much room a deletion makes: less at first than what goes, because of what an undo needs. */
export function freedText(sizeBytes: number): string {
  return sizeBytes === 0
    ? "A compressed copy is kept for `reprise undo`."
    : `Frees ${sizeText(sizeBytes)}, less the compressed copy that is kept for \`reprise undo\`.`;
}
