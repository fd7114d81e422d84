import { truncated } from "./width.ts";

/** Says on one line of the terminal how work goes on, over what was reported before. */
export function tellStatus(text: string): void {
  process.stderr.write(`\r${statusText(text, process.stderr.columns || 80)}\u001b[K`);
}

/** Takes the line away again. */
export function wipeStatus(): void {
  process.stderr.write("\r\u001b[K");
}

/** What of a text is reported on a terminal of so many columns: a line that wraps could not be written over. */
export function statusText(text: string, columns: number): string {
  return truncated(text, columns - 1);
}
