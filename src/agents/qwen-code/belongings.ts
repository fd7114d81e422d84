import { dirname, join } from "node:path";
import type { Belongings } from "../belongings-contract.ts";
import type { SessionRef } from "../contract.ts";

/** A chat, and the folder of its subagents' chats. */
export async function belongings({ path, session }: SessionRef): Promise<Belongings> {
  const chats = dirname(path).replace(/[/\\]archive$/, "");
  return { files: [path], folders: [join(dirname(chats), "subagents", session)] };
}
