/** So far behind the start of a page, and so much that the system gives it pages of its own. */
const apart = 1024;
const ownPages = 256 * 1024;

/**
 * Room to read files into from their start. A copy whose target lies a few bytes further in its page than its
 * source is several times slower on some processors, and that is where large buffers begin.
 */
export function readRoom(bytes: number): Buffer {
  const room = Buffer.allocUnsafeSlow(Math.max(bytes + apart, ownPages));
  return room.subarray(apart, apart + bytes);
}

/** The same, made when it is first asked for. */
export function roomOnDemand(bytes: number): () => Buffer {
  let room: Buffer | undefined;
  return () => {
    room ??= readRoom(bytes);
    return room;
  };
}
