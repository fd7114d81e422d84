import { Terminal } from "@xterm/headless";
import { onTestFinished } from "vitest";
import { startOnTerminal } from "../pty.mjs";
import { type Machine, program } from "./program.ts";

/** The program on a terminal of its own: what its screen shows, and what is typed. */
export interface Screen {
  lines(): readonly string[];
  text(): string;
  /** All that was sent to the terminal, as it came. */
  sent(): string;
  isAlternate(): boolean;
  /** Waits until the screen is the one from before the program again. */
  isGivenBack(): Promise<void>;
  type(keys: string): void;
  resize(columns: number, rows: number): void;
  /** Waits until the screen shows a text. */
  shows(text: string): Promise<void>;
  /** Waits until something holds, looking again whenever something is drawn. */
  until(holds: () => boolean): Promise<void>;
  /** What the program put into the clipboard, by OSC 52. */
  copied(): readonly string[];
  /** How often the whole screen was drawn. */
  drawn(): number;
  /** Waits for the program's end and tells its exit code; its last output may still be on its way. */
  end(): Promise<number>;
  signal(name: string): void;
}

/** Starts the program on a terminal; it is ended with the test. */
export function openTerminal(
  args: readonly string[],
  options: {
    readonly columns: number;
    readonly rows: number;
    readonly machine: Machine;
    readonly pager?: string;
    /** The kind of terminal, as `TERM` names it. */
    readonly kind?: string;
    /** What a shell does on the terminal first. */
    readonly before?: string;
  },
): Screen {
  const { machine, pager = "cat", kind = "xterm-256color", before = ":" } = options;
  let { columns, rows } = options;
  const terminal = new Terminal({ cols: columns, rows, allowProposedApi: true });
  const shell = ["-c", `${before}; exec "$@"`, "sh", process.execPath, program, ...args];
  const child = startOnTerminal("/bin/sh", shell, {
    columns,
    rows,
    cwd: machine.cwd,
    env: { ...machine.env, TERM: kind, PAGER: pager },
  });
  const copied: string[] = [];
  terminal.parser.registerOscHandler(52, (data) => {
    copied.push(Buffer.from(data.replace(/^c;/, ""), "base64").toString());
    return true;
  });
  let drawn = 0;
  terminal.parser.registerCsiHandler({ final: "H" }, () => {
    drawn += 1;
    return false;
  });
  let ended: number | undefined;
  let wake: () => void = () => {};
  let sent = "";
  child.onData((data) => {
    sent += data;
    terminal.write(data, () => wake());
  });
  child.onExit(({ exitCode, signal = 0 }) => {
    // As a shell tells it.
    ended = signal === 0 ? exitCode : 128 + signal;
    wake();
  });
  onTestFinished(() => {
    if (ended === undefined) child.kill("SIGKILL");
  });
  const lines = (): readonly string[] => {
    const { active } = terminal.buffer;
    return Array.from({ length: rows }, (_, row) => {
      // What was right of the edge before a resize is still held.
      const line = active.getLine(active.baseY + row);
      return line?.translateToString(true, 0, columns).trimEnd() ?? "";
    });
  };
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    lines,
    text: () => lines().join("\n"),
    sent: () => sent,
    isAlternate: () => terminal.buffer.active.type === "alternate",
    isGivenBack: () => until(() => terminal.buffer.active.type === "normal"),
    type: (keys) => child.write(keys),
    resize: (width, height) => {
      columns = width;
      rows = height;
      terminal.resize(width, height);
      child.resize(width, height);
    },
    until,
    copied: () => copied,
    drawn: () => drawn,
    shows: (text) => until(() => lines().join("\n").includes(text)),
    end: async () => {
      await until(() => ended !== undefined);
      return ended!;
    },
    signal: (name) => child.kill(name),
  };
}
