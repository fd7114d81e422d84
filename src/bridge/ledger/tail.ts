import { fstatSync, readSync } from "node:fs";
import type { AgentHooks } from "../../agents/hooks-contract.ts";
import { limits } from "../../base/limits.ts";
import { readOpen } from "../../base/open-file.ts";

/** What was said at the end of a transcript, the newest last. */
export interface SaidLast {
  readonly prompts: readonly string[];
  readonly answer?: string;
}

/** How an agent's lines tell what was said; nothing is reported an agent whose lines do not. */
type Speaking = Pick<AgentHooks, "said"> | undefined;

/** The last things said in a transcript of lines, read from its end and bounded; nothing if it cannot be read. */
export function saidLast(transcript: string, hooks: Speaking): SaidLast {
  const prompts: string[] = [];
  let answer: string | undefined;
  for (const line of linesAt(transcript, "end").toReversed()) {
    const said = hooks?.said?.(line);
    if (said === undefined || said.text === "") continue;
    if (said.role === "user") prompts.push(said.text);
    else answer ??= said.text;
    if (prompts.length >= limits.handoffPrompts) break;
  }
  return { prompts: prompts.reverse(), ...(answer !== undefined && { answer }) };
}

/** The first thing a person said in a transcript, as far as its beginning says. */
export function saidFirst(transcript: string, hooks: Speaking): string | undefined {
  for (const line of linesAt(transcript, "start")) {
    const said = hooks?.said?.(line);
    if (said?.role === "user" && said.text !== "") return said.text;
  }
  return undefined;
}

/** The whole lines at one end of a file. */
function linesAt(path: string, end: "start" | "end"): readonly string[] {
  const read = (fd: number): readonly string[] => {
    const { size } = fstatSync(fd);
    const length = Math.min(size, limits.handoffTailBytes);
    const bytes = Buffer.allocUnsafe(length);
    const taken = readSync(fd, bytes, 0, length, end === "start" ? 0 : size - length);
    const lines = bytes.toString("utf8", 0, taken).split("\n");
    if (length === size) return lines;
    return end === "start" ? lines.slice(0, -1) : lines.slice(1);
  };
  return readOpen(path, read, []);
}
