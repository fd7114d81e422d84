import { listenToKeys } from "./key-input.ts";
import type { Key } from "./keys.ts";
import { openTerminal } from "./terminal.ts";

/** What happens on a screen while it has the terminal. */
export interface ScreenEvents<Left> {
  /** It has the terminal now; `type` presses keys as if a person did. */
  opened(type: (keys: readonly Key[]) => void): void;
  resized(): void;
  /** What some keys do; whether the screen stays. It is left by calling `leave`. */
  press(keys: readonly Key[], leave: (left?: Left) => void): Promise<boolean>;
  /** It has the terminal no longer. */
  closed?(): void;
}

/** Gives the terminal to a screen until it is left, and says how; undefined where the input ends. */
export async function untilLeft<Left>(screen: ScreenEvents<Left>): Promise<Left | undefined> {
  const terminal = openTerminal();
  try {
    return await new Promise((resolve, reject) => {
      const leave = (left?: Left): void => {
        stopListening();
        process.stdout.off("resize", onResize);
        resolve(left);
      };
      const onResize = (): void => screen.resized();
      // One key after the other: what an action takes, the next key waits for.
      let working = Promise.resolve(true);
      const onKeys = (keys: readonly Key[]): void => {
        working = working.then((stays) => stays && screen.press(keys, leave));
        working.catch(reject);
      };
      const stopListening = listenToKeys({ keys: onKeys, end: () => leave() });
      process.stdout.on("resize", onResize);
      screen.opened(onKeys);
    });
  } finally {
    screen.closed?.();
    terminal.close();
  }
}
