// Lines do not wrap meanwhile: terminals differ in how wide a letter is, and one line too many moves all others.
// What is pasted comes marked as such.
const enterScreen = "\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[?2004h";
const leaveScreen = "\u001b[?2004l\u001b[?7h\u001b[?25h\u001b[?1049l";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Takes the terminal over, and gives it back however the program ends. */
export function openTerminal(): { close(): void } {
  const restore = (): void => {
    process.stdin.setRawMode(false);
    process.stdout.write(leaveScreen);
  };
  const onSignal = (_name: NodeJS.Signals, number: number): void => process.exit(128 + number);
  process.once("exit", restore);
  for (const signal of signals) process.once(signal, onSignal);
  process.stdin.setRawMode(true);
  process.stdin.setEncoding("utf8");
  process.stdin.resume();
  process.stdout.write(enterScreen);
  return {
    close: () => {
      process.off("exit", restore);
      for (const signal of signals) process.off(signal, onSignal);
      process.stdin.pause();
      restore();
    },
  };
}

/** How large the screen is; a terminal that does not know says nothing or 0. */
export function screenSize(): { readonly columns: number; readonly rows: number } {
  return { columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 };
}

/** Puts lines over what the screen shows. Erasing comes first: behind a full line it would take the last letter. */
export function drawScreen(lines: readonly string[]): void {
  process.stdout.write(`\u001b[H${lines.map((line) => `\u001b[2K${line}`).join("\r\n")}`);
}
