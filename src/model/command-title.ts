import { limits } from "../base/limits.ts";
import { oneLine } from "./text.ts";

/** A slash command as a title, such as `/review the parser`, or undefined if the text is none. */
export function commandTitle(text: string): string | undefined {
  const name = /<command-name>([^<]{1,200})<\/command-name>/.exec(text)?.[1];
  if (name === undefined) return undefined;
  const given = /<command-args>([^<]{1,2000})<\/command-args>/.exec(text)?.[1] ?? "";
  const title = oneLine(`${name.trim()} ${given}`, limits.titleChars);
  return title === "" ? undefined : title;
}

const beginsWrapped = /^\s*<command-(?:name|message|args)>/;

/** A prompt as people read it: a slash command that its program wrapped is only the command. */
export function readablePrompt(text: string): string {
  return (beginsWrapped.test(text) ? commandTitle(text) : undefined) ?? text;
}
