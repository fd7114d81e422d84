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
          if (isCtrlC(key)) interrupted(key);
          else if (keys.includes(key.text.toLowerCase())) finish(key.text.toLowerCase());
          else if (key.name === "escape" && keys.includes("n")) finish("n");
        });
        signal.addEventListener("abort", onAbort, { once: true });
        if (signal.aborted) onAbort();
      }),
    onInterrupt: (callback) => {
      onCtrlC = callback;
      const stop = keyboard.listen(interrupted);
      return () => {
        onCtrlC = () => {};
        stop();
      };
    },
    close: () => keyboard.close(),
  };
}

let onCtrlC: () => void = () => {};

/** While an answer comes in, Ctrl-C is the only key that is heard. */
function interrupted(key: KeyPress): void {
  if (isCtrlC(key)) onCtrlC();
}

function isCtrlC({ ctrl, name }: KeyPress): boolean {
  return ctrl && name === "c";
}
