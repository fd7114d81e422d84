import type { Colours } from "../../cli/terminal/colours.ts";
import { screenSize } from "../../cli/terminal/picker/terminal.ts";
import { editorLayout } from "./editor-layout.ts";
import { type EditorState, editorState, pressInEditor } from "./editor-state.ts";
import type { Keyboard, KeyPress } from "./keyboard.ts";

/** What a person did at the prompt. */
export type PromptAnswer =
  | { readonly kind: "submit"; readonly text: string }
  /** Ctrl-C; `text` is what was typed until then. */
  | { readonly kind: "cancel"; readonly text: string }
  | { readonly kind: "end" };

/** Lets a person type a prompt of one or more lines. */
export function readPrompt(
  keyboard: Keyboard,
  options: {
    readonly history: readonly string[];
    readonly initial?: string | undefined;
    readonly colours: Colours;
  },
): Promise<PromptAnswer> {
  const { history, initial, colours } = options;
  let state: EditorState = editorState(history, initial);
  let cursorRow = 0;
  let isDrawing = false;
  const draw = (): void => {
    const { rows, row, column } = editorLayout(state.text, state.cursor, screenSize());
    const marked = rows.map(
      (text, index) => `${index === 0 ? colours.cyan("❯") : colours.dim("·")} ${text}`,
    );
    const up = cursorRow > 0 ? `\u001b[${cursorRow}A` : "";
    const back = rows.length - 1 - row;
    const place = `${back > 0 ? `\u001b[${back}A` : ""}\r\u001b[${column}C`;
    process.stdout.write(`${up}\r\u001b[J${marked.join("\r\n")}${place}`);
    cursorRow = row;
  };
  // What is pasted comes as many keys: it is drawn once.
  const drawSoon = (): void => {
    if (isDrawing) return;
    isDrawing = true;
    setImmediate(() => {
      if (isDrawing) draw();
      isDrawing = false;
    });
  };
  return new Promise((resolve) => {
    let isOver = false;
    const finish = (answer: PromptAnswer): void => {
      isOver = true;
      isDrawing = false;
      stop();
      process.stdin.off("end", onEnd);
      process.stdout.off("resize", drawSoon);
      state = { ...state, cursor: state.text.length };
      draw();
      process.stdout.write("\r\n");
      resolve(answer);
    };
    const onEnd = (): void => finish({ kind: "end" });
    const onKey = (key: KeyPress): boolean => {
      if (isOver) return false;
      const step = pressInEditor(state, key);
      if (step.kind === "stay") {
        state = step.state;
        drawSoon();
      } else finish(step);
      return true;
    };
    const stop = keyboard.listen(onKey);
    draw();
    process.stdin.once("end", onEnd);
    process.stdout.on("resize", drawSoon);
    keyboard.typeAgain(onKey);
  });
}
