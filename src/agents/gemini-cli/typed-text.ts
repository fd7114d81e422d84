import { withoutInjected } from "../../model/injected.ts";

/** A piece of a user message: what a person typed, or what a program put around it. */
export interface Piece {
  readonly text: string;
  readonly injected: boolean;
}

const wrapper = /^\s*<(session_context|hook_context)>[\s\S]*?<\/\1>\s*/;
const openWrapper = /^\s*<session_context>/;
const command = /^[/?][\w?-]*(\s|$)/;

/** Whether `--resume` leaves a user message with this text out: the program's own rule, which also loses prompts. */
export function isDroppedOnResume(text: string): boolean {
  const trimmed = text.trim();
  return trimmed === "" || /^(\/|\?|<session_context>|<hook_context>)/.test(trimmed);
}

/** A user text cut into what programs injected in front and what was typed. */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let rest = text;
  for (let found = wrapper.exec(rest); found !== null; found = wrapper.exec(rest)) {
    pieces.push({ text: found[0], injected: true });
    rest = rest.slice(found[0].length);
  }
  // A context that never closes swallows the rest, as it does for the program.
  const isOurs = rest !== "" && withoutInjected(rest) === "";
  if (rest !== "" || pieces.length === 0)
    pieces.push({ text: rest, injected: isOurs || openWrapper.test(rest) });
  return pieces;
}

/** What a person typed in a user text, without injected context; empty where nothing was. */
export function typedText(text: string): string {
  const typed = piecesOf(text).filter((piece) => !piece.injected);
  return withoutInjected(typed.map((piece) => piece.text).join("")).trim();
}

/** Whether a typed text is a command of the program and not a prompt; a path such as `/home/a` is none. */
export function isCommand(text: string): boolean {
  return command.test(text.trim());
}
