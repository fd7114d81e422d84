import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { limits } from "../../../base/limits.ts";
import type { CommandContext } from "../run/command.ts";
import { lendTerminal } from "./lend-terminal.ts";
import { writeTo } from "./output.ts";

/** A text in parts, made as they are taken or all there. */
type Pieces = AsyncIterable<string> | Iterable<string>;

/**
 * Prints pieces through the user's pager on a terminal, straight otherwise. Leaving the pager ends the
 * reading too: the rest of a long session is never read.
 */
export async function printPaged(
  pieces: Pieces,
  context: CommandContext,
  options: PagingOptions = {},
): Promise<void> {
  if (!hasPager(context)) {
    for await (const page of gathered(pieces)) await context.out.write(page);
    return;
  }
  // What cannot be read at all is an error before there is a pager, which would wait for a key.
  const { text, rest } = await begin(pieces);
  const hasPrompts = options.isTranscript === true && text.includes(promptMark);
  const { variables } = context.env;
  const given = { variables, ...options, hasPrompts };
  await lendTerminal(() => feed(pagerOf(context), rest, given));
}

/** What stands before a prompt in a transcript, as its reader sees it. */
const promptMark = "❯";

/** How much is made before the pager starts. */
const beginningChars = 8_192;

/** The beginning of a text, and pieces that are all of it. */
async function begin(
  pieces: Pieces,
): Promise<{ readonly text: string; readonly rest: AsyncIterable<string> }> {
  const all = (async function* () {
    yield* pieces;
  })();
  let text = "";
  while (text.length < beginningChars) {
    const next = await all.next();
    if (next.done === true) break;
    text += next.value;
  }
  const rest = (async function* () {
    yield text;
    yield* all;
  })();
  return { text, rest };
}

/** How a pager is used. */
export interface PagingOptions {
  /** It stays also where all fits the screen: something else is drawn as soon as it is left. */
  readonly stays?: boolean;
  /** The number of the event to begin at. */
  readonly at?: string;
  /** What was looked for: it is marked from there on. */
  readonly words?: readonly string[];
  /** It is a transcript: the pager leads from prompt to prompt. */
  readonly isTranscript?: boolean;
}

/** The same, and whether the transcript begins with prompts. */
interface Feeding extends PagingOptions {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly hasPrompts: boolean;
}

/** Whether what is printed goes through a pager; on a terminal that cannot be drawn on it does not. */
export function hasPager(context: CommandContext): boolean {
  const { TERM, PATH } = context.env.variables;
  const pager = pagerOf(context);
  const isWanted = context.out.isTerminal && TERM !== "dumb" && pager !== "cat";
  return isWanted && isThere(pager, PATH);
}

function pagerOf({ env }: CommandContext): string {
  return env.variables["PAGER"] ?? "less";
}

/** Gives the pager pieces while it takes them, and waits until it is left. */
async function feed(pager: string, pieces: Pieces, options: Feeding): Promise<void> {
  const { variables } = options;
  // The pager is the user's own setting and may carry arguments, so a shell reads it, as git does.
  const child = spawn(pager, {
    shell: true,
    stdio: ["pipe", "inherit", "inherit"],
    env: { ...variables, LESS: lessOptions(variables["LESS"], options) },
  });
  const closed = once(child, "close");
  let isOpen = true;
  const leave = (): void => {
    isOpen = false;
  };
  child.on("close", leave);
  child.stdin.on("error", leave);
  try {
    for await (const piece of pieces) {
      if (!isOpen) break;
      await Promise.race([writeTo(child.stdin, piece).catch(leave), closed]);
    }
  } finally {
    child.stdin.end();
    await closed;
  }
}

/**
 * The options of `less`: its keys, before what the user set so that theirs holds; to wait for a key where it stays; where to
 * begin. In a transcript it looks for the first prompt and goes back to the top, so that n leads from prompt to prompt.
 */
function lessOptions(own: string | undefined, options: Feeding): string {
  const { stays = false, words = [] } = options;
  const begin = beginOf(options);
  return [
    `-Ps${keysText(options)}$`,
    ...(words.length > 0 ? ["-i"] : []),
    (own ?? "FRX").replace(/^(?=[A-Za-z])/, "-"),
    ...(stays ? ["-+F", "-+X"] : []),
    ...(begin === undefined ? [] : [`+${begin}`]),
  ].join(" ");
}

/** What is typed into `less` at once. The event itself is among the words, so that something is always found. */
function beginOf({ at, words = [], hasPrompts }: Feeding): string | undefined {
  if (at === undefined || !/^[\w.]+$/.test(at))
    return hasPrompts ? `/^#.*${promptMark}\ng` : undefined;
  const place = `^#${at.replaceAll(".", "\\.")}\\b`;
  const wanted = words.filter((word) => !/[$\n]/.test(word)).map(escapedForLess);
  return wanted.length === 0 ? `/${place}` : `/${place}\n/${[...wanted, place].join("|")}\n`;
}

function escapedForLess(word: string): string {
  return word.replace(/[.*+?^{}()|[\]\\]/g, "\\$&");
}

/** The keys of `less`, as the prompt it shows; the most needed last, since a narrow terminal cuts the beginning. */
function keysText({ stays = false, at, words = [], hasPrompts }: Feeding): string {
  const keys = ["/ search", "space next page", `q ${stays ? "goes back" : "leaves"}`];
  if (at !== undefined && words.length > 0) keys.unshift("n next match");
  else if (hasPrompts && at === undefined) keys.unshift("n next prompt");
  return `${keys.join(", ").replaceAll(/[.?:%\\]/g, "\\$&")}?e (END).`;
}

/** The pieces in larger ones, so that a long transcript takes few writes. */
async function* gathered(pieces: Pieces): AsyncGenerator<string> {
  let held = "";
  for await (const piece of pieces) {
    held += piece;
    if (held.length < limits.chunkBytes) continue;
    yield held;
    held = "";
  }
  yield held;
}

/** Whether the pager's program can be found; a machine may have none. */
function isThere(pager: string, path: string | undefined): boolean {
  const program = pager.trim().split(/\s+/)[0] ?? "";
  if (program === "") return false;
  if (program.includes("/") || process.platform === "win32") return true;
  return (path ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));
}
