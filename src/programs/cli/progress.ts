import type { CommandContext } from "./command.ts";

const quietMs = 500;
const betweenMs = 100;

/**
 * Passes items on and tells on the terminal how many there were, once the work takes longer than half
 * a second. Says nothing where nobody looks, or where the result itself goes to the terminal.
 */
export async function* withProgress<T>(
  items: AsyncIterable<T>,
  context: CommandContext,
  options: { readonly verb: string; readonly toFile: boolean },
): AsyncGenerator<T> {
  const isSeen = process.stderr.isTTY === true && (options.toFile || !context.out.isTerminal);
  if (!isSeen || context.json) {
    yield* items;
    return;
  }
  let count = 0;
  let nextMs = Date.now() + quietMs;
  let isShown = false;
  try {
    for await (const item of items) {
      count += 1;
      if (Date.now() >= nextMs) {
        nextMs = Date.now() + betweenMs;
        isShown = true;
        process.stderr.write(`\r${options.verb} ${count.toLocaleString("en")} events…\u001b[K`);
      }
      yield item;
    }
  } finally {
    if (isShown) process.stderr.write("\r\u001b[K");
  }
}
