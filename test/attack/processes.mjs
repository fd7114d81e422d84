// How a process of the attack is started and hit: plainly, with few descriptors, in a pid namespace of its own.
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const clock = fileURLToPath(new URL("children/jumping-clock.mjs", import.meta.url));

/** Whether this user may make pid namespaces; without them holders are examined as on one machine. */
export function mayUnshare() {
  return spawnSync("unshare", ["--pid", "--fork", "true"]).status === 0;
}

/** Starts a program of ours; `lines` is called with every whole line it prints. */
export function start(argv, { namespaced = false, descriptors, lines }) {
  const node = [process.execPath, "--import", clock, ...argv];
  const limited =
    descriptors === undefined
      ? node
      : ["sh", "-c", `ulimit -n ${descriptors}; exec "$@"`, "sh", ...node];
  const command = namespaced
    ? ["unshare", "--pid", "--fork", "--kill-child=SIGKILL", ...limited]
    : limited;
  const child = spawn(command[0], command.slice(1), { stdio: ["ignore", "pipe", "pipe"] });
  let rest = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (data) => {
    const parts = (rest + data).split("\n");
    rest = parts.pop();
    for (const line of parts) lines(line);
  });
  child.stderr.setEncoding("utf8").on("data", (data) => {
    errors = (errors + data).slice(-4_000);
  });
  const ended = new Promise((resolve) => {
    child.on("error", (error) => resolve({ code: 1, errors: String(error) }));
    child.on("close", (code, signal) => resolve({ code, signal, errors }));
  });
  return { ended, signal: (name) => signal(child, { name, namespaced }) };
}

/** Hits the program itself; in a namespace that is the child of the process that was started. */
function signal(child, { name, namespaced }) {
  const inner = namespaced ? childOf(child.pid) : undefined;
  const isHit = inner !== undefined && hit(inner, name);
  // The one outside would wait for ever where the one inside had not begun yet.
  if (!namespaced || name === "SIGKILL") return hit(child.pid, name) || isHit;
  return isHit;
}

function hit(pid, name) {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false;
  }
}

function childOf(pid) {
  try {
    const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
    return first ? Number(first) : undefined;
  } catch {
    return undefined;
  }
}
