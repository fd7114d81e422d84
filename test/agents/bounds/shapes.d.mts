/** Every shape of every agent: what the file holds, in pieces, each a line; of OpenCode, the rows. */
export const shapes: Readonly<Record<string, Readonly<Record<string, (n: number) => unknown>>>>;
/** Writes a session of `n` records in a shape below a home, where the agent keeps it; returns its file. */
export function writeShape(
  home: string,
  session: { readonly agent: string; readonly shape: string; readonly n: number },
): string;
