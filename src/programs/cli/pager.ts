import { spawn } from "node:child_process";
import { once } from "node:events";
import type { CommandContext } from "./command.ts";
import { writeTo } from "./output.ts";

/**
 * Prints pieces through the user's pager on a terminal, straight otherwise. Leaving the pager ends the
 * reading too: the rest of a long session is never read.
 */
export async function printPaged(
  pieces: AsyncIterable<string>,
  context: CommandContext,
): Promise<void> {
  const pager = context.env.variables["PAGER"] ?? "less";
  if (!context.out.isTerminal || pager === "" || pager === "cat") {
    for await (const piece of pieces) await context.out.write(piece);
    return;
  }
  // The pager is the user's own setting and may carry arguments, so a shell reads it, as git does.
  const child = spawn(pager, {
    shell: true,
    stdio: ["pipe", "inherit", "inherit"],
    env: { LESS: "FRX", ...context.env.variables },
  });
  const closed = once(child, "close");
  let isOpen = true;
  child.on("close", () => {
    isOpen = false;
  });
  child.stdin.on("error", () => {
    isOpen = false;
  });
  for await (const piece of pieces) {
    if (!isOpen) break;
    await Promise.race([writeTo(child.stdin, piece), closed]);
  }
  child.stdin.end();
  await closed;
}
