import { basename, dirname, join } from "node:path";
import { namesIn } from "../../base/folders.ts";
import type { Belongings } from "../belongings-contract.ts";
import type { SessionRef } from "../contract.ts";
import { subagentsBeside } from "./read/subagents.ts";

/** A transcript, its folder of subagents and spilled outputs, its tasks, and the file contents kept to rewind it. */
export async function belongings({ path, root, session }: SessionRef): Promise<Belongings> {
  const folder = path.slice(0, -".jsonl".length);
  const store = root ?? dirname(dirname(dirname(path)));
  const own = basename(folder);
  const beside = subagentsBeside(path, session).map((child) => child.path);
  const todos = namesIn(join(store, "todos")).filter((name) => name.startsWith(`${own}-agent-`));
  return {
    files: [path, ...beside, ...todos.map((name) => join(store, "todos", name))],
    folders: [folder, join(store, "tasks", own), join(store, "file-history", own)],
  };
}
