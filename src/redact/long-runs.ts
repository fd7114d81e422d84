/** Where a long run of letters, digits and `+/_-` begins and ends. */
export interface Run {
  readonly start: number;
  readonly end: number;
}

const isOfRun = new Uint8Array(128);
for (const letter of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-")
  isOfRun[letter.charCodeAt(0)] = 1;

const none: readonly Run[] = [];

/** Every run of at least so many letters, digits and `+/_-`: what keys and encoded texts are made of. */
export function longRuns(text: string, least: number): readonly Run[] {
  if (text.length < least) return none;
  const runs: Run[] = [];
  let start = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const code = at === text.length ? 0 : text.charCodeAt(at);
    if (code < 128 && isOfRun[code] === 1) continue;
    if (at - start >= least) runs.push({ start, end: at });
    start = at + 1;
  }
  return runs;
}
