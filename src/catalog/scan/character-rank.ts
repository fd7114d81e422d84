/*
 * How common characters are in sessions. What stands on a rare one says sessions apart, and is found sooner.
 */

/** The common ones first; what is not here is rare. */
const byFrequency = ' etaoinsrlcdhupm",fg.:w0b1y2_-{}=()v3k;45x6789';

/** From this rank on a character is rare. */
export const rareRank = byFrequency.indexOf("w");

/** A larger number for a rarer character; capital letters count as small ones. */
export function rankOf(character: string): number {
  const rank = byFrequency.indexOf(character.toLowerCase());
  return rank < 0 ? byFrequency.length : rank;
}
