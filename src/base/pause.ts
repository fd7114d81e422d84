const never = new Int32Array(new SharedArrayBuffer(4));

/** Lets this thread sleep. */
export function pause(ms: number): void {
  Atomics.wait(never, 0, 0, ms);
}
