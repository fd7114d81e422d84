// What a program prints on a terminal, and what is wrong with its lines.
import xterm from "@xterm/headless";
import { startOnTerminal } from "../pty.mjs";

/** A line that breaks a word ends so near to the edge. */
const edge = 3;

/** Runs a program on a terminal: lines that are too wide, and words that are broken but among `words` and fit a line. */
export async function screenProblems(args, { columns, words, cwd, env }) {
  const lines = await linesOf(args, { columns, cwd, env });
  const known = new Set(words.split(/\s+/).map(bare));
  const problems = [];
  for (const [at, { text, isWrapped }] of lines.entries()) {
    // Sessions of real people are nobody's business: the beginning alone.
    if (isWrapped) problems.push(`wider than the terminal: ${lines[at - 1].text.slice(0, 40)}`);
    const before = lines[at - 1];
    if (before === undefined || isWrapped || before.width < columns - edge) continue;
    const [indent = "", second = ""] = /^(\s*)(\S*)/.exec(text).slice(1);
    const first = /\S*$/.exec(before.text)[0];
    const whole = first + second;
    const isBroken = known.has(bare(whole)) && !(known.has(bare(first)) && known.has(bare(second)));
    if (first === "" || second === "" || !isBroken) continue;
    if (whole.length <= columns - indent.length) problems.push(`broken: ${first} ${second}`);
  }
  const said = args.slice(3).join(" ");
  return { about: `at ${columns} columns ${said}: ${lines.length} lines`, problems };
}

/** A word without the marks around it. */
function bare(word) {
  return word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
}

async function linesOf(args, { columns, cwd, env }) {
  const rows = 50;
  const screen = new xterm.Terminal({
    ...{ cols: columns, rows, scrollback: 1_000_000, allowProposedApi: true },
  });
  // What was printed last may be lost at the end of a terminal: the shell says when all is there, and waits.
  const script = '"$@"; printf "\\033]777;end\\007"; read -r _';
  const shell = ["-c", script, "sh", process.execPath, ...args];
  const ended = new Promise((resolve) => {
    screen.parser.registerOscHandler(777, () => {
      resolve();
      return true;
    });
  });
  const child = startOnTerminal("/bin/sh", shell, {
    ...{ columns, rows, cwd, env: { ...env, TERM: "xterm-256color", PAGER: "cat" } },
  });
  child.onData((data) => screen.write(data));
  await ended;
  child.kill();
  const { active } = screen.buffer;
  return Array.from({ length: active.length }, (_, row) => {
    const line = active.getLine(row);
    return { text: line.translateToString(true), width: widthOf(line), isWrapped: line.isWrapped };
  });
}

/** The columns that something stands in. */
function widthOf(line) {
  let width = line.length;
  while (
    width > 0 &&
    line
      .getCell(width - 1)
      .getChars()
      .trim() === ""
  )
    width -= 1;
  return width;
}
