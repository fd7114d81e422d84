import type { Approve } from "../../loop/approval.ts";
import type { Colours } from "../cli/terminal/colours.ts";
import type { ChatInput } from "./input.ts";

/** Asks the person at the terminal before a tool runs; what it will do was shown before. Undefined where nobody sits. */
export function askFirst(
  input: ChatInput,
  { colours, write }: { readonly colours: Colours; write(text: string): void },
): Approve | undefined {
  const { choose } = input;
  if (choose === undefined) return undefined;
  return async ({ tool, signal }) => {
    const { bold, dim } = colours;
    const keys = `${bold("y")} once  ${bold("a")} always ${tool.name} in this chat  ${bold("n")} no`;
    write(`  ${dim("Allow it?")}  ${keys} `);
    const key = await choose(["y", "a", "n"], { signal });
    write(`${key === undefined ? "" : dim(`→ ${key}`)}\r\n`);
    return key === "y" ? "once" : key === "a" ? "session" : "no";
  };
}
