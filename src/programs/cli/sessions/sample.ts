import { existsSync, realpathSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { locateSessions } from "../../../agents/find-sessions.ts";
import { noSessionYet } from "../../../agents/reference.ts";
import { loadAgents } from "../../../agents/registry.ts";
import { everyAgent } from "../../../agents/user-agents.ts";
import type { Environment } from "../../../base/env.ts";
import { errnoOf } from "../../../base/errors.ts";
import { makeFolder } from "../../../base/make-folder.ts";
import type { SampleFile, SamplePlace } from "../../../model/sample.ts";
import { userHome } from "../../../store/home.ts";
import type { CommandContext } from "../run/command.ts";

/** What of the user's environment the sample keeps: nothing that names another store. */
const keptVariables = [
  "PATH",
  "PAGER",
  "LESS",
  "TERM",
  "LANG",
  "LC_ALL",
  "TZ",
  "NO_COLOR",
] as const;

/** The environment of the sample home, which is laid out where it is not there yet. */
export async function sampleEnvironment(real: Environment): Promise<Environment> {
  const root = join(userHome(real).root, "sample");
  const home = join(root, "home");
  await layOut(home, Date.now());
  const variables: Record<string, string | undefined> = { HOME: home };
  for (const name of keptVariables) variables[name] = real.variables[name];
  return { variables, platform: real.platform, home, cwd: projectIn(home) };
}

/**
 * A bare `reprise` on the sample where this machine has no agent's session at all; it says so. A command that was
 * typed gets what there is: nothing, and a hint at the sample.
 */
export async function sampleWhereEmpty(context: CommandContext): Promise<CommandContext> {
  if (context.sample || !isEmpty(context)) return context;
  if (!context.bare) {
    if (!context.json) context.out.note(noSessionYet);
    return context;
  }
  const env = await sampleEnvironment(context.env);
  context.out.note(
    `No agent's session was found on this machine; this is the sample in ${env.home}.`,
  );
  const agents = await everyAgent(context.out.note);
  return { ...context, env, agents, sample: true };
}

/** Commands worth trying on the sample, as they work where this program was started. */
export function nextSteps(): readonly string[] {
  const reprise = `${invokedAs()} --sample`;
  return [
    `${reprise} show rate limit`,
    `${reprise} show @last@8`,
    `${reprise} list --agent codex`,
    `${reprise} export docker build --format md`,
  ];
}

function isEmpty(context: CommandContext): boolean {
  for (const _located of locateSessions(context)) return false;
  return true;
}

/** In a clone the program is not on the path; there npx finds it. */
function invokedAs(): string {
  // <root>/dist/bin/reprise.js
  const root = dirname(dirname(dirname(realpathSync(process.argv[1] ?? "."))));
  return existsSync(join(root, "tsconfig.json")) ? "npx --no-install reprise" : "reprise";
}

function projectIn(home: string): string {
  return join(home, "dev", "todo-api");
}

/** Lays the sample out aside and gives it its name at the end, so that it is never half there. */
async function layOut(home: string, nowMs: number): Promise<void> {
  if (existsSync(home)) return;
  const place: SamplePlace = { project: projectIn(home), nowMs };
  const aside = `${home}.${process.pid}.tmp`;
  rmSync(aside, { recursive: true, force: true });
  for (const file of await sampleFiles(place)) {
    const path = join(aside, file.path);
    makeFolder(dirname(path));
    writeFileSync(path, file.text, { mode: 0o600 });
    const seconds = nowMs / 1000 - file.ageMinutes * 60;
    utimesSync(path, seconds, seconds);
  }
  try {
    renameSync(aside, home);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    // Another process was faster: its sample is as good.
    if (errnoOf(error) !== "ENOTEMPTY" && errnoOf(error) !== "EEXIST") throw error;
  }
}

async function sampleFiles(place: SamplePlace): Promise<readonly SampleFile[]> {
  const manifest = '{ "name": "todo-api", "version": "0.3.0", "type": "module" }\n';
  const agents = await loadAgents();
  const sessions = await Promise.all(agents.map((agent) => agent.sample?.(place) ?? []));
  return [
    { path: join("dev", "todo-api", "package.json"), text: manifest, ageMinutes: 60 * 24 * 10 },
    ...sessions.flat(),
  ];
}
