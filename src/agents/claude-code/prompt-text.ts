import { type JsonText, startOf } from "../../base/json-text.ts";
import { limits } from "../../base/limits.ts";
import { withoutInjected } from "../../model/injected.ts";
import { oneLine } from "../../model/text.ts";

/** Elements the program wraps around what it puts into prompts by itself. */
const wrappers = [
  "system-reminder",
  "local-command-caveat",
  "local-command-stdout",
  "local-command-stderr",
  "command-name",
  "command-message",
  "command-args",
  "command-contents",
  "bash-input",
  "bash-stdout",
  "bash-stderr",
  "user-prompt-submit-hook",
  "user-memory-input",
  "ide_opened_file",
  "ide_selection",
  "ide_diagnostics",
  "task-notification",
  "tick",
].join("|");

const wrapped = new RegExp(`<(${wrappers})(?:\\s[^>]*)?>[\\s\\S]*?(?:</\\1>|$)`, "g");
const notTyped = /^(?:Caveat: |\[Request interrupted by user|\[Image: (?:source|original))/;

/** What a person typed of a prompt's text: empty where the program wrote all of it. */
export function typedText(text: string): string {
  // Wrappers stand at the edges of short texts; a long paste is not searched through.
  const edge = withoutInjected(text.slice(0, limits.promptEdgeChars));
  const typed = edge.includes("<") ? edge.replace(wrapped, "") : edge;
  const trimmed = typed.trim();
  return notTyped.test(trimmed) ? "" : trimmed;
}

/** What begins with none of these begins with what was typed: nothing before it can be taken out. */
const beginsTyped = /^\s*[^\s<C[]/;
/** Most prompts begin with a word: so much of a long one is looked at first. */
const firstChars = 16;

/** Whether a person typed anything of a prompt's text. */
export function isTyped(text: string | JsonText): boolean {
  if (beginsTyped.test(startOf(text, firstChars))) return true;
  const edge = startOf(text, limits.promptEdgeChars);
  return beginsTyped.test(edge) || typedText(edge) !== "";
}

/** A prompt as a title, or undefined where nobody typed it. */
export function promptTitle(text: string): string | undefined {
  const title = oneLine(typedText(text), limits.titleChars);
  return title === "" ? undefined : title;
}

/** A slash command as a title, such as `/review the parser`, or undefined where the text is none. */
export function commandTitle(text: string): string | undefined {
  const name = /<command-name>([^<]{1,200})<\/command-name>/.exec(text)?.[1];
  if (name === undefined) return undefined;
  const given = /<command-args>([^<]{1,2000})<\/command-args>/.exec(text)?.[1] ?? "";
  const title = oneLine(`${name.trim()} ${given}`, limits.titleChars);
  return title === "" ? undefined : title;
}
