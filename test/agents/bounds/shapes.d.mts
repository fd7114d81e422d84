/** Every shape of every agent that keeps files: what the file holds, in pieces, each a line. */
export const shapes: Readonly<
  Record<string, Readonly<Record<string, (n: number) => readonly string[]>>>
>;
/** Writes a session of `n` records in a shape below a home, where the agent keeps it; returns its file. */
export function writeShape(
  home: string,
  session: { readonly agent: string; readonly shape: string; readonly n: number },
): string;
