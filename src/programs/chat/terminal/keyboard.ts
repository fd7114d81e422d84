import { emitKeypressEvents, type Key } from "node:readline";

/** A key as Node names it; `text` is what it types. */
export interface KeyPress {
  readonly text: string;
  readonly name: string;
  readonly ctrl: boolean;
  readonly meta: boolean;
}

/** Hears the keys that are pressed. */
export type OnKey = (key: KeyPress) => void;

/** The keyboard of this terminal, key by key. */
export interface Keyboard {
  /** Keys go to the newest listener alone, until the function returned is called. */
  listen(onKey: OnKey): () => void;
  close(): void;
}

const pasteMarks = { on: "\u001b[?2004h", off: "\u001b[?2004l" } as const;
const signals = ["SIGTERM", "SIGHUP"] as const;

/** Takes the keyboard over, and gives it back however the program ends. Keys nobody hears are kept for the next listener. */
export function openKeyboard(): Keyboard {
  const listeners: OnKey[] = [];
  let unheard: KeyPress[] = [];
  const onKeypress = (text: string | undefined, key: Key): void => {
    const { name = "", ctrl = false, meta = false } = key;
    const pressed = { text: text ?? "", name, ctrl, meta };
    const onKey = listeners.at(-1);
    if (onKey === undefined) unheard.push(pressed);
    else onKey(pressed);
  };
  const restore = (): void => {
    process.stdin.setRawMode(false);
    process.stdout.write(pasteMarks.off);
  };
  const onSignal = (_name: NodeJS.Signals, number: number): void => process.exit(128 + number);
  emitKeypressEvents(process.stdin);
  process.stdin.on("keypress", onKeypress);
  process.stdin.setRawMode(true);
  process.stdin.resume();
  process.stdout.write(pasteMarks.on);
  process.once("exit", restore);
  for (const signal of signals) process.once(signal, onSignal);
  return {
    listen: (onKey) => {
      listeners.push(onKey);
      const waiting = unheard;
      unheard = [];
      for (const key of waiting) onKey(key);
      return () => {
        const at = listeners.lastIndexOf(onKey);
        if (at >= 0) listeners.splice(at, 1);
      };
    },
    close: () => {
      process.off("exit", restore);
      for (const signal of signals) process.off(signal, onSignal);
      process.stdin.off("keypress", onKeypress);
      process.stdin.pause();
      restore();
    },
  };
}
