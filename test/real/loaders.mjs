// Programs that hold state and no conversation: what we write for them is loaded by their own code, from npm.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installed } from "./install.mjs";

const program = fileURLToPath(new URL("../../dist/bin/reprise.js", import.meta.url));

/** The versions whose loaders are asked. */
export const loaders = [
  { agent: "aios", version: "4.4.6", name: "aios-core", folder: ".aios" },
  { agent: "aios", version: "5.2.9", name: "@aiox-squads/core", folder: ".aiox" },
].map((one) => ({
  ...one,
  spec: `${one.name}@${one.version}`,
  start: `${one.name}/${one.folder}-core/core/session/context-loader.js`,
  sessions: `${one.name}/${one.folder}-core/core/synapse/session/session-manager.js`,
}));

/** What is not as promised of states written for one version: none where its loaders take them. */
export async function provenLoader(loader, { root }) {
  const { argv } = await installed(loader);
  const modules = argv[1].slice(0, -loader.start.length);
  const project = join(root, `loader-${loader.version}`);
  mkdirSync(join(project, loader.folder), { recursive: true });
  const env = { HOME: root, PATH: process.env.PATH };
  const run = (args, { input = "" } = {}) =>
    execFileSync(process.execPath, [program, ...args], {
      cwd: project,
      env,
      encoding: "utf8",
      input,
      stdio: ["pipe", "pipe", "ignore"],
    });
  const session = run(["new", "--title", "Port change", "--stdin"], {
    input: `${JSON.stringify({ type: "user", content: "Move the API to port 9090" })}\n`,
  }).trim();
  const written = (into) =>
    JSON.parse(run(["handoff", session, "--in", into, "--cwd", project, "--json"])).written;
  const problems = [];
  const state = written("aios");
  const told = ask(project, join(modules, loader.start), 'new loaded().loadContext("dev")');
  if (told.sessionType !== "existing") problems.push(`taken for ${told.sessionType}`);
  if (!/reprise-handoff/.test(told.currentStory)) problems.push("the page is not its story");
  if (told.sessionId !== JSON.parse(readFileSync(state.path, "utf8")).sessionId)
    problems.push("another session was loaded");
  const id = written("synapse").ref.slice("synapse:".length);
  const call = `loaded.loadSession("${id}", ".synapse/sessions")`;
  const kept = ask(project, join(modules, loader.sessions), call);
  if (kept?.title !== "Move the API to port 9090")
    problems.push("SYNAPSE did not load its session");
  return problems;
}

/** The value of an expression about a module of the program, in the project, with nothing else of this machine. */
function ask(cwd, file, expression) {
  const script = `const loaded = require(${JSON.stringify(file)});
    process.stdout.write("\\n" + JSON.stringify((${expression}) ?? null));`;
  const env = { HOME: cwd, PATH: process.env.PATH };
  const out = execFileSync(process.execPath, ["--eval", script], { cwd, env, encoding: "utf8" });
  return JSON.parse(out.slice(out.lastIndexOf("\n") + 1));
}
