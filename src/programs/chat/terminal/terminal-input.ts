import type { Colours } from "../../cli/terminal/colours.ts";
import type { ChatInput } from "../input.ts";
import { type KeyPress, openKeyboard } from "./keyboard.ts";
import { readPrompt } from "./read-prompt.ts";

/** Prompts that a person types on this terminal. */
export function terminalInput(options: {
  readonly colours: Colours;
  note(text: string): void;
}): ChatInput {
  const { colours, note } = options;
  const keyboard = openKeyboard();
  let onCtrlC: () => void = () => {};
  return {
    next: async ({ history, initial }) => {
      let isLeaving = false;
      for (let text = initial; ; text = undefined) {
        const answer = await readPrompt(keyboard, { history, initial: text, colours });
        if (answer.kind === "submit") return answer.text;
        if (answer.kind === "end" || (answer.text === "" && isLeaving)) return undefined;
        isLeaving = answer.text === "";
        if (isLeaving) note(colours.dim("Ctrl-C again or Ctrl-D leaves; everything is kept."));
      }
    },
    choose: (keys, { signal }) =>
      new Promise((resolve) => {
        const finish = (key: string | undefined): void => {
          stop();
          signal.removeEventListener("abort", onAbort);
          resolve(key);
        };
        const onAbort = (): void => finish(undefined);
        const stop = keyboard.listen((key) => {
          if (isCtrlC(key)) onCtrlC();
          else if (keys.includes(key.text.toLowerCase())) finish(key.text.toLowerCase());
          else if (key.name === "escape" && keys.includes("n")) finish("n");
          // Who was asked and types something else has not decided.
          return true;
        });
        signal.addEventListener("abort", onAbort, { once: true });
        if (signal.aborted) onAbort();
      }),
    onInterrupt: (callback) => {
      onCtrlC = callback;
      // Ctrl-C is the only key that is heard now; what else is typed is for the next prompt.
      const stop = keyboard.listen((key) => {
        if (!isCtrlC(key)) return false;
        onCtrlC();
        return true;
      });
      return () => {
        onCtrlC = () => {};
        stop();
      };
    },
    close: () => keyboard.close(),
  };
}

function isCtrlC({ ctrl, name }: KeyPress): boolean {
  return ctrl && name === "c";
}
