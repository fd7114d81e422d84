/** How the program begins a line that replaces the whole conversation. */
export const rewriteBegin = Buffer.from('{"$set":{"messages":[');

/** Whether a record begins as a rewritten history does. */
export function startsAsRewrite(bytes: Buffer): boolean {
  return bytes.subarray(0, rewriteBegin.length).equals(rewriteBegin);
}
