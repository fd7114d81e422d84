import { join } from "node:path";
import type { Agent } from "../../../agents/contract.ts";
import { loadAgents, registerAgent } from "../../../agents/registry.ts";
import type { Environment } from "../../../base/env.ts";
import { smallFile } from "../../../base/folders.ts";
import { isObject, parseObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import { userHome } from "../../../store/home.ts";

/** Prints a message for the user on standard error. */
type Note = (text: string) => void;

/** What the user sets for all commands. Only here: a project's files may not name code that runs. */
export function settingsFile(env: Environment): string {
  return join(userHome(env).root, "settings.json");
}

/** Registers the agents that the user's settings name: `{ "agents": { "<name>": "<module>" } }`. */
export function registerUserAgents(env: Environment, note: Note): void {
  const text = smallFile(settingsFile(env), limits.settingsBytes);
  if (text === undefined) return;
  const settings = parseObject(text);
  if (settings === undefined) note(`${settingsFile(env)} is no JSON; it is passed over.`);
  const agents = settings?.["agents"];
  for (const [name, module] of Object.entries(isObject(agents) ? agents : {})) {
    try {
      registerAgent({ name, module: String(module) });
    } catch (error) {
      note(said(error));
    }
  }
}

const told = new Set<string>();

/** Loads every agent; a user agent that fails to load is reported once and left out. */
export function everyAgent(note: Note): Promise<readonly Agent[]> {
  return loadAgents((name, error) => {
    if (told.has(name)) return;
    told.add(name);
    note(said(error));
  });
}

function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
