import { sqliteEngine } from "../sqlite/engine.ts";

/** Levels that small additions have below the large parts: each takes sixteen times as many as the one before. */
const levelsBelow = 2;

/** Where FTS5 keeps the list of its parts. */
const structureRow = 10;

/** Stands behind the cookie where parts tell more of themselves. */
const extended = 0xff000001;

/**
 * Puts the parts a large build left onto a higher level. FTS5 merges all parts of a level at once when there are
 * too many of them: the first small additions would have the large ones rewritten with them. Nothing but the list
 * of parts is changed, over a connection of its own: others see that it is another one now.
 */
export function raiseParts(path: string): void {
  const options = { timeout: 5_000, defensive: false };
  const connection = new (sqliteEngine().DatabaseSync)(path, options);
  try {
    connection.exec("begin immediate");
    const row = connection.prepare("select block from words_data where id = ?").get(structureRow);
    const raised = raisedStructure((row as { readonly block: Uint8Array } | undefined)?.block);
    const write = connection.prepare("update words_data set block = ? where id = ?");
    if (raised !== undefined) write.run(raised, structureRow);
    connection.exec("commit");
  } catch {
    // An engine that does not let the list be written: then a later addition takes longer, once.
  } finally {
    connection.close();
  }
}

/**
 * The list with empty levels before the first: a cookie, how many levels there are, how many parts, a counter,
 * then for each level how many parts are being merged and how many there are. Undefined where it is none of ours.
 */
function raisedStructure(block: Uint8Array | undefined): Uint8Array | undefined {
  if (block === undefined || block.length < 16) return undefined;
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
  const at = view.getUint32(4) === extended ? 8 : 4;
  const levels = block[at]!;
  // Higher levels are there already: then an earlier build was raised, and these parts find their place.
  if (levels !== 1) return undefined;
  const first = afterNumber(block, afterNumber(block, at + 1));
  return Buffer.concat([
    block.subarray(0, at),
    Buffer.from([levels + levelsBelow]),
    block.subarray(at + 1, first),
    Buffer.alloc(2 * levelsBelow),
    block.subarray(first),
  ]);
}

/** Numbers are of seven bits a byte; the last byte has the highest bit clear. */
function afterNumber(block: Uint8Array, at: number): number {
  let end = at;
  while (block[end]! >= 0x80) end += 1;
  return end + 1;
}
