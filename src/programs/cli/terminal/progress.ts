import type { CommandContext } from "../run/command.ts";
import { isScreen } from "./output.ts";
import { tellStatus, wipeStatus } from "./status-line.ts";

const quietMs = 500;
const betweenMs = 100;

/** What is reported while work goes on. */
export interface Progress {
  /** So much more was done. */
  add(count: number): void;
  /** The work is over: what was reported is wiped away. */
  end(): void;
}

/**
 * Says on the terminal how much was done, once the work takes longer than half a second. Says nothing
 * where nobody looks, or where the result itself goes to the terminal meanwhile.
 */
export function progress(
  context: CommandContext,
  options: {
    readonly verb: string;
    readonly toFile: boolean;
    /** So much of what; events unless told otherwise. */
    readonly amount?: (done: number) => string;
  },
): Progress {
  const isSeen = isScreen(2) && (options.toFile || !context.out.isTerminal);
  if (!isSeen || context.json) return { add: () => {}, end: () => {} };
  const { amount = (count) => `${count.toLocaleString("en")} events` } = options;
  let done = 0;
  let nextMs = Date.now() + quietMs;
  let isShown = false;
  return {
    add: (count) => {
      done += count;
      if (Date.now() < nextMs) return;
      nextMs = Date.now() + betweenMs;
      isShown = true;
      tellStatus(`${options.verb} ${amount(done)}…`);
    },
    end: () => {
      if (isShown) wipeStatus();
    },
  };
}

/** Passes items on and says how many there were. */
export async function* withProgress<T>(
  items: AsyncIterable<T>,
  context: CommandContext,
  options: { readonly verb: string; readonly toFile: boolean },
): AsyncGenerator<T> {
  const told = progress(context, options);
  try {
    for await (const item of items) {
      told.add(1);
      yield item;
    }
  } finally {
    told.end();
  }
}
