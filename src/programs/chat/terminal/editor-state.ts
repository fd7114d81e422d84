import type { KeyPress } from "./keyboard.ts";

/** What is being typed: a text of one or more lines, the place in it, and what was typed before. */
export interface EditorState {
  readonly text: string;
  readonly cursor: number;
  /** Earlier prompts, oldest first. */
  readonly history: readonly string[];
  /** Which of them is shown; as many as there are while something new is typed. */
  readonly at: number;
  /** What was typed before going back in the history. */
  readonly draft: string;
  readonly isPasting: boolean;
}

/** What a key comes to. */
export type EditorStep =
  | { readonly kind: "stay"; readonly state: EditorState }
  | { readonly kind: "submit"; readonly text: string }
  /** Ctrl-C: what was typed is given up. */
  | { readonly kind: "cancel"; readonly text: string }
  /** Ctrl-D on an empty line. */
  | { readonly kind: "end" };

/** An editor with a text to begin with. */
export function editorState(history: readonly string[], text = ""): EditorState {
  return { text, cursor: text.length, history, at: history.length, draft: "", isPasting: false };
}

/** What becomes of the text when a key is pressed. */
export function pressInEditor(state: EditorState, key: KeyPress): EditorStep {
  const { text, cursor } = state;
  const stay = (next: Partial<EditorState>): EditorStep => ({
    kind: "stay",
    state: { ...state, ...next },
  });
  if (key.name === "paste-start") return stay({ isPasting: true });
  if (key.name === "paste-end") return stay({ isPasting: false });
  if (state.isPasting) return stay(inserted(state, pasted(key)));
  if (key.ctrl) return withControl(state, key.name);
  switch (key.name) {
    case "return":
      if (key.meta) return stay(inserted(state, "\n"));
      // A backslash before Enter asks for another line.
      if (text.slice(0, cursor).endsWith("\\"))
        return stay(inserted({ ...state, ...erased(state, cursor - 1) }, "\n"));
      return text.trim() === "" ? stay({}) : { kind: "submit", text };
    case "enter":
      return stay(inserted(state, "\n"));
    case "backspace":
      return stay(erased(state, key.meta ? wordBefore(state) : before(state)));
    case "delete":
      return stay({ text: text.slice(0, cursor) + text.slice(after(state)) });
    case "left":
      return stay({ cursor: key.meta ? wordBefore(state) : before(state) });
    case "right":
      return stay({ cursor: after(state) });
    case "home":
      return stay({ cursor: lineStart(state) });
    case "end":
      return stay({ cursor: lineEnd(state) });
    case "up":
      return stay(lineStart(state) > 0 ? upALine(state) : recalled(state, state.at - 1));
    case "down":
      return stay(lineEnd(state) < text.length ? downALine(state) : recalled(state, state.at + 1));
    case "escape":
    case "tab":
      return stay({});
    default:
      return stay(key.meta ? {} : inserted(state, printable(key.text)));
  }
}

function withControl(state: EditorState, name: string): EditorStep {
  const { text, cursor } = state;
  const stay = (next: Partial<EditorState>): EditorStep => ({
    kind: "stay",
    state: { ...state, ...next },
  });
  switch (name) {
    case "c":
      return { kind: "cancel", text };
    case "d":
      return text === ""
        ? { kind: "end" }
        : stay({ text: text.slice(0, cursor) + text.slice(after(state)) });
    case "j":
      return stay(inserted(state, "\n"));
    case "a":
      return stay({ cursor: lineStart(state) });
    case "e":
      return stay({ cursor: lineEnd(state) });
    case "b":
      return stay({ cursor: before(state) });
    case "f":
      return stay({ cursor: after(state) });
    case "k":
      return stay({ text: text.slice(0, cursor) + text.slice(lineEnd(state)) });
    case "u":
      return stay(erased(state, lineStart(state)));
    case "w":
      return stay(erased(state, wordBefore(state)));
    case "h":
      return stay(erased(state, before(state)));
    case "p":
      return stay(recalled(state, state.at - 1));
    case "n":
      return stay(recalled(state, state.at + 1));
    default:
      return stay({});
  }
}

/** A line end that is pasted is one; other keys that act are not typed. */
function pasted({ name, text }: KeyPress): string {
  if (name === "return" || name === "enter") return "\n";
  return name === "tab" ? "    " : printable(text);
}

function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, "");
}

function inserted({ text, cursor }: EditorState, more: string): Partial<EditorState> {
  return { text: text.slice(0, cursor) + more + text.slice(cursor), cursor: cursor + more.length };
}

function erased({ text, cursor }: EditorState, from: number): Partial<EditorState> {
  return { text: text.slice(0, from) + text.slice(cursor), cursor: from };
}

/** Where the character before the cursor begins: some are two units long. */
function before({ text, cursor }: EditorState): number {
  const isPair = /[\ud800-\udbff][\udc00-\udfff]$/.test(
    text.slice(Math.max(0, cursor - 2), cursor),
  );
  return Math.max(0, cursor - (isPair ? 2 : 1));
}

function after({ text, cursor }: EditorState): number {
  const isPair = /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(cursor, cursor + 2));
  return Math.min(text.length, cursor + (isPair ? 2 : 1));
}

function wordBefore({ text, cursor }: EditorState): number {
  return text.slice(0, cursor).replace(/\S+\s*$/, "").length;
}

function lineStart({ text, cursor }: EditorState): number {
  return text.lastIndexOf("\n", cursor - 1) + 1;
}

function lineEnd({ text, cursor }: EditorState): number {
  const end = text.indexOf("\n", cursor);
  return end < 0 ? text.length : end;
}

function upALine(state: EditorState): Partial<EditorState> {
  const start = lineStart(state);
  const column = state.cursor - start;
  const above = lineStart({ ...state, cursor: start - 1 });
  return { cursor: Math.min(above + column, start - 1) };
}

function downALine(state: EditorState): Partial<EditorState> {
  const column = state.cursor - lineStart(state);
  const below = lineEnd(state) + 1;
  return { cursor: Math.min(below + column, lineEnd({ ...state, cursor: below })) };
}

/** An earlier prompt, or what was being typed. */
function recalled(state: EditorState, at: number): Partial<EditorState> {
  const { history } = state;
  if (at < 0 || at > history.length) return {};
  const draft = state.at === history.length ? state.text : state.draft;
  const text = at === history.length ? draft : history[at]!;
  return { text, cursor: text.length, at, draft };
}
