import { emitKeypressEvents, type Key } from "node:readline";
import { limits } from "../../../base/limits.ts";

/** A key as Node names it; `text` is what it types. */
export interface KeyPress {
  readonly text: string;
  readonly name: string;
  readonly ctrl: boolean;
  readonly meta: boolean;
}

/** Hears the keys that are pressed; one that it leaves (`false`) is kept for a prompt that comes later. */
export type OnKey = (key: KeyPress) => boolean;

/** The keyboard of this terminal, key by key. */
export interface Keyboard {
  /** Keys go to the newest listener alone, until the function returned is called. */
  listen(onKey: OnKey): () => void;
  /** Gives a listener the keys that nobody took, as if they were pressed now; what it leaves stays kept. */
  typeAgain(onKey: OnKey): void;
  close(): void;
}

const pasteMarks = { on: "\u001b[?2004h", off: "\u001b[?2004l" } as const;
const signals = ["SIGTERM", "SIGHUP"] as const;

/** Takes the keyboard over, and gives it back however the program ends. */
export function openKeyboard(): Keyboard {
  const listeners: OnKey[] = [];
  let unheard: KeyPress[] = [];
  const onKeypress = (text: string | undefined, key: Key): void => {
    const { name = "", ctrl = false, meta = false } = key;
    const pressed = { text: text ?? "", name, ctrl, meta };
    const isTaken = listeners.at(-1)?.(pressed) ?? false;
    if (!isTaken && unheard.length < limits.keptKeys) unheard.push(pressed);
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
      return () => {
        const at = listeners.lastIndexOf(onKey);
        if (at >= 0) listeners.splice(at, 1);
      };
    },
    typeAgain: (onKey) => {
      unheard = unheard.filter((key) => !onKey(key));
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
