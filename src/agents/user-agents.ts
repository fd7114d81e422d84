import { join } from "node:path";
import type { Environment } from "../base/env.ts";
import { smallFile } from "../base/folders.ts";
import { isObject, parseObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import { userHome } from "../store/home.ts";
import type { Agent } from "./contract.ts";
import { loadAgents, loadAgentsIn, registerAgent } from "./registry.ts";

/** Hears what the user should know. */
export type Note = (text: string) => void;

/** What the user sets for all commands. Only here: a project's files may not name code that runs. */
export function settingsFile(env: Environment): string {
  return join(userHome(env).root, "settings.json");
}

/** Registers the agents that the user's settings name: `{ "agents": { "<name>": "<module>" } }`. */
export function registerUserAgents(env: Environment, note: Note = () => undefined): void {
  const text = smallFile(settingsFile(env), limits.settingsBytes);
  if (text === undefined) return;
  const settings = parseObject(text);
  if (settings === undefined) note(`${settingsFile(env)} is not JSON; it is ignored.`);
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
export function everyAgent(note: Note = () => undefined): Promise<readonly Agent[]> {
  return loadAgents(onFailure(note));
}

/** Loads the agents that may have sessions there, or in one of these projects, likewise. */
export function agentsIn(
  env: Environment,
  note: Note = () => undefined,
  projects: readonly string[] = [],
): Promise<readonly Agent[]> {
  return loadAgentsIn(env, onFailure(note), projects);
}

function onFailure(note: Note): (name: string, error: unknown) => void {
  return (name, error) => {
    if (told.has(name)) return;
    told.add(name);
    note(said(error));
  };
}

function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
