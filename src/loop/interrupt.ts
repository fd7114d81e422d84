import { RepriseError } from "../base/errors.ts";

/** What is waited for, or the error `aborted` once the signal fires, whether the work listens to it or not. */
export function untilAborted<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(stopped(signal));
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).then(() => signal.removeEventListener("abort", onAbort));
  });
}

/** Passes on what comes until the signal fires; then `aborted` is thrown, also where the source waits for ever. */
export async function* interruptible<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  let isOver = false;
  try {
    while (true) {
      const next = await untilAborted(iterator.next(), signal);
      if (next.done === true) {
        isOver = true;
        return;
      }
      yield next.value;
    }
  } finally {
    // A source that hangs does not hear it: nobody waits for its answer.
    if (!isOver) void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

function stopped(signal: AbortSignal): RepriseError {
  return new RepriseError("aborted", "It was stopped.", { cause: signal.reason });
}
