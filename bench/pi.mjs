// The peer: pi's own SessionManager.
import { pathToFileURL } from "node:url";
import { installed } from "./installed.mjs";

const name = "@mariozechner/pi-coding-agent";
const spec = `${name}@0.73.1`;
const manager = () => installed(spec, name, "dist", "core", "session-manager.js");

/** Why the peer cannot be measured, or undefined where it is there. */
export function piProblem() {
  return manager() === undefined ? `${spec} could not be installed` : undefined;
}

/** pi's SessionManager. */
export async function loadPi() {
  const { SessionManager } = await import(pathToFileURL(manager()).href);
  return SessionManager;
}
