import { cpSync, readdirSync, statSync } from "node:fs";
import { basename, join, relative } from "node:path";
import type { Agent, SessionRef } from "../../../src/agents/contract.ts";
import type { Environment } from "../../../src/base/env.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";

/** A project as an agent left it. */
export function fixtureOf(agent: Agent, version: string): string {
  return join(import.meta.dirname, "..", "..", "fixtures", agent.name, version, "project");
}

/** A copy of it, and an environment whose current folder it is. */
export function projectOf(agent: Agent, version: string): Environment {
  const cwd = join(temporaryFolder(), "acme-api");
  cpSync(fixtureOf(agent, version), cwd, { recursive: true });
  return environmentIn(cwd);
}

/** An environment in a folder that names nothing else. */
export function environmentIn(cwd: string): Environment {
  return { variables: {}, platform: "linux", home: join(cwd, ".."), cwd };
}

/** Every file of a fixture that the agent takes for a session, with the ref of a copy of it. */
export function sourcesOf(
  agent: Agent,
  version: string,
): { readonly files: readonly string[]; ref(path: string, root: string): SessionRef } {
  const project = fixtureOf(agent, version);
  const refs = [...agent.locate(environmentIn(project))];
  return {
    files: refs.map(({ path }) => path),
    ref: (path, root) => {
      const { size: sizeBytes, mtimeMs: modifiedMs } = statSync(path);
      const session = refs.find((ref) => basename(ref.path) === basename(path))!.session;
      return { agent: agent.name, session, path, sizeBytes, modifiedMs, root };
    },
  };
}

/** The files below a folder, with their sizes. */
export function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return `${relative(folder, path)} ${statSync(path).size}`;
    })
    .sort();
}
