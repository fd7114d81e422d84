import { createRequire } from "node:module";
import { isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import { RepriseError } from "../base/errors.ts";
import { isObject } from "../base/json.ts";
import type { Agent } from "./contract.ts";

/** An agent of somebody else. */
export interface AgentModule {
  readonly name: string;
  /** A file URL or an absolute path. The module's export `agent`, or its default one, is the agent. */
  readonly module: string;
}

const nameShape = /^[a-z][a-z0-9-]{0,31}$/;

/** What is wrong with what is said of a module, before it is loaded; undefined where nothing is. */
export function moduleProblem({ name, module }: AgentModule): string | undefined {
  if (!nameShape.test(name)) return "a name is small letters, digits and dashes, at most 32";
  if (!module.startsWith("file:") && !isAbsolute(module))
    return "its module is neither a file URL nor an absolute path";
  return undefined;
}

/** Loads the agent of a module; throws `bad_input` if there is none, whatever goes wrong in it. */
export function requireAgent(from: AgentModule): Agent {
  try {
    const { module } = from;
    const file = module.startsWith("file:") ? fileURLToPath(module) : module;
    // Required, not imported: that means the same in every form this code is built in.
    return agentIn(createRequire(file)(file), from.name);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split("\n", 1)[0] : String(cause);
    throw new RepriseError("bad_input", `The agent ${from.name} could not be loaded: ${why}`, {
      cause,
      hint: `See ${from.module}.`,
    });
  }
}

const needed = {
  title: "string",
  revision: "number",
  roots: "function",
  locate: "function",
  head: "function",
  read: "function",
} as const;

function agentIn(loaded: unknown, name: string): Agent {
  const exported = isObject(loaded) ? (loaded["agent"] ?? loaded["default"]) : undefined;
  if (!isObject(exported)) throw new Error("the module exports no `agent`");
  if (exported["name"] !== name) throw new Error(`its name is ${JSON.stringify(exported["name"])}`);
  for (const [field, type] of Object.entries(needed)) {
    if (typeof exported[field] !== type) throw new Error(`its \`${field}\` is no ${type}`);
  }
  return exported as unknown as Agent;
}
