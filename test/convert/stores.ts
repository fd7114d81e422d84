import { cpSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Agent, SessionRef } from "../../src/agents/contract.ts";
import { loadAgents } from "../../src/agents/registry.ts";
import type { Source } from "../../src/agents/source.ts";
import type { Environment } from "../../src/base/env.ts";
import { type Converted, type ConvertRequest, convert } from "../../src/convert/convert.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const agents = await loadAgents();

const fixtures = join(import.meta.dirname, "../fixtures");
const emptyDatabase = join(fixtures, "opencode/1.18.33/plain/.local/share/opencode");

/** The agents a session can be written for. */
export const targets: readonly Agent[] = agents.filter(({ writer }) => writer !== undefined);

/** The agent of a name. */
export function agentNamed(name: string): Agent {
  const agent = agents.find((candidate) => candidate.name === name);
  if (agent === undefined) throw new Error(`no agent ${name}`);
  return agent;
}

/** A user with a project and every agent's store; the working folder is the project. */
export function newUser(): Environment {
  const home = temporaryFolder();
  const cwd = join(home, "project");
  mkdirSync(cwd);
  const database = join(home, ".local/share/opencode");
  mkdirSync(database, { recursive: true });
  for (const name of readdirSync(emptyDatabase).filter((file) => file.startsWith("opencode.db")))
    cpSync(join(emptyDatabase, name), join(database, name));
  return { variables: { HOME: home }, platform: "linux", home, cwd };
}

/** Converts a source with its own head, into the working folder. */
export function bring(
  source: Source,
  to: string,
  env: Environment,
  more: Partial<ConvertRequest> = {},
): Promise<Converted> {
  const head = source.agent.head(source.ref, env);
  if (head === undefined) throw new Error(`${source.ref.path} has no head`);
  return convert({ source, head, target: agentNamed(to), env, cwd: env.cwd, ...more });
}

/** A converted session as the source of the next conversion. */
export function sourceOf({ written }: Converted): Source {
  return { agent: agentNamed(written.ref.agent), ref: written.ref };
}

/** A session among the fixtures, and where it is. */
export interface FixtureSession {
  readonly name: string;
  readonly source: Source;
  readonly env: Environment;
}

/** Every session of the fixtures, as its agent finds it in the homes they mirror. */
export function fixtureSessions(): readonly FixtureSession[] {
  return agents.flatMap((agent) =>
    folders(join(fixtures, agent.name)).flatMap((version) =>
      folders(version).flatMap((scenario) => {
        const env = { variables: {}, platform: "linux", home: scenario, cwd: scenario } as const;
        const sessions = join(scenario, "sessions");
        const named = {
          PI_CODING_AGENT_SESSION_DIR: statSync(sessions, { throwIfNoEntry: false })
            ? sessions
            : scenario,
        };
        const own = agent.name === "pi" ? { ...env, variables: named } : env;
        return [...agent.locate(own, { projects: [scenario] })].map((ref: SessionRef) => ({
          name: `${agent.name} ${scenario.slice(fixtures.length + agent.name.length + 2)} ${ref.session}`,
          source: { agent, ref },
          env: own,
        }));
      }),
    ),
  );
}

function folders(path: string): readonly string[] {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return [];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(path, name));
}
