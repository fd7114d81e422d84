/*
 * A look at the bytes of a file before anything is decoded. Programs that write JSON escape quotes, slashes,
 * controls, signs of HTML and what is beyond ASCII, never plain letters, digits and blanks; so a text that
 * is to be found has its plain parts in the bytes as they are, and a file without them need not be read.
 */

/** What the bytes of a file must have. */
export interface Needle {
  /** Plain characters only. */
  readonly text: string;
  readonly caseSensitive: boolean;
}

const plainRun = /[A-Za-z0-9 _.,:;=+*()[\]{}!?@#$%^~|-]+/g;
const shortest = 3;

/** The longest plain part of a text; undefined if none is long enough to tell files apart. */
export function needleIn(text: string, caseSensitive: boolean): Needle | undefined {
  const runs = text.match(plainRun) ?? [];
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), "");
  return longest.length < shortest ? undefined : { text: longest, caseSensitive };
}

/** The longest plain part every match of a pattern must have; undefined if that is not plain to see. */
export function needleInPattern(source: string, caseSensitive: boolean): Needle | undefined {
  if (/[|()[\]\\]/.test(source)) return undefined;
  // The character before a quantifier may be missing.
  const sure = source.replace(/.[?*]|.\{[^}]*\}/g, "\n").replace(/[+^$.]/g, "\n");
  const runs = sure.match(/[A-Za-z0-9 _,:;=!@#%~-]+/g) ?? [];
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), "");
  return longest.length < shortest ? undefined : { text: longest, caseSensitive };
}
