import { limits } from "../base/limits.ts";
import { withoutInjected } from "./injected.ts";
import { oneLine } from "./text.ts";

/** Elements that programs and their extensions put around what no person says, whatever the agent. */
const wrapperNames = [
  "objective",
  "execution_context",
  "context",
  "process",
  "instructions",
  "persisted-output",
  "system-reminder",
  "bash-(?:input|stdout|stderr)",
  "command-(?:name|message|args|contents)",
  "local-command-(?:caveat|stdout|stderr)",
  "user-prompt-submit-hook",
  "user-memory-input",
  "task-notification",
  "teammate-message",
  "environment_context",
  "user_instructions",
  "user_shell_command",
  "ide_(?:opened_file|selection|diagnostics)",
  "session_context",
].join("|");

/** What a text begins with: an element of a program, or one with a name that no markup has. */
const opening = new RegExp(`^\\s*<(?:(${wrapperNames})|([a-z]+(?:[_-][a-z]+)+))(?:\\s[^<>]*)?>`);

/** A wrapper whose end is cut off; a person who writes about one continues in the same line. */
const cutOff = new RegExp(
  `^\\s*<(?:${wrapperNames})>?[ \\t]*(?:\\r?\\n|$)|^\\s*<[a-z]+[_-][a-z_-]*$`,
);

const planBegins = /^\s*Implement the following plan:\s*/;
const heading = /^\s{0,3}#{1,6}[ \t]+(\S[^\n]*)/m;

/** JSON that a program sent in a person's place: its first characters tell, also where its end is cut off. */
const payload = /^\s*(?:\{\s*(?:"|\}\s*$)|\[\s*[[{"])/;
const payloadEnd = /[\]}]\s*$/;

/** So much of a long prompt is looked at. */
const lookedAtChars = 20_000;

/**
 * What a prompt gives a session as its title: the first words of the person, of a plan that is to be implemented
 * its heading; empty where no person's words are in it, so that the next prompt is asked.
 */
export function titleOfPrompt(prompt: string): string {
  const said = withoutWrappers(withoutInjected(prompt.slice(0, lookedAtChars)));
  if (said.trim() === "" || isPayload(said)) return "";
  const plan = planBegins.exec(said);
  const asked = plan === null ? said : planTitle(said.slice(plan[0].length));
  return oneLine(asked, limits.titleChars);
}

/** A text without the wrappers it begins with. */
function withoutWrappers(text: string): string {
  let rest = text;
  for (let found = opening.exec(rest); found !== null; found = opening.exec(rest)) {
    const [begin, known, other] = found;
    const end = `</${known ?? other}>`;
    const at = rest.indexOf(end, begin.length);
    // What never ends may be what a person writes about.
    if (at < 0) break;
    rest = rest.slice(at + end.length);
  }
  return cutOff.test(rest) ? "" : rest;
}

function isPayload(text: string): boolean {
  if (!payload.test(text)) return false;
  return text.length >= limits.titleChars || payloadEnd.test(text);
}

function planTitle(plan: string): string {
  const found = heading.exec(plan);
  return found?.[1] ?? plan.trimStart().split("\n", 1)[0] ?? "";
}
