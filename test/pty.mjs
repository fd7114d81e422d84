import { spawn } from "@lydell/node-pty";

/** Starts a program on a terminal of its own, of so many columns and rows. */
export function startOnTerminal(file, args, { columns, rows, cwd, env }) {
  return spawn(file, [...args], { cols: columns, rows, cwd, env });
}
