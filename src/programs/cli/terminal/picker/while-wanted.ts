import { uptimeMs } from "../../../../base/clock.ts";

/** How long reading may go on before others have their turn. */
const turnMs = 8;

/** The items while somebody wants them; others have their turn now and then. */
export async function* whileWanted<T>(
  items: AsyncIterable<T>,
  isWanted: () => boolean,
): AsyncGenerator<T> {
  let sinceMs = uptimeMs();
  for await (const item of items) {
    if (uptimeMs() - sinceMs > turnMs) {
      await new Promise((then) => setImmediate(then));
      sinceMs = uptimeMs();
    }
    if (!isWanted()) return;
    yield item;
  }
}
