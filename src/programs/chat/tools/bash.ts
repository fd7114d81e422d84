import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { asCount } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import type { AgentTool, ToolAnswer } from "../../../loop/tool.ts";
import { OutputWindow } from "./output-window.ts";
import type { Workplace } from "./toolset.ts";

const defaultSeconds = 120;

/** Runs a shell command in a process group of its own, without input and without the keys of models. */
export function bashTool({ cwd, variables, secrets }: Workplace): AgentTool {
  const env = Object.fromEntries(
    Object.entries(variables).filter(
      ([, value]) => value !== undefined && !secrets.includes(value),
    ),
  );
  return {
    name: "bash",
    description: `Run a shell command in the working folder. It has no terminal and no input. Stopped after ${defaultSeconds} seconds unless timeout_seconds says otherwise (at most ${limits.toolRunMs / 1000}).`,
    parameters: {
      type: "object",
      properties: {
        command: { type: "string", description: "The command." },
        timeout_seconds: { type: "integer", description: "How long it may take." },
      },
      required: ["command"],
    },
    run: ({ command, timeout_seconds }, { signal }) => {
      const wanted = (asCount(timeout_seconds) ?? defaultSeconds) * 1000;
      const timeoutMs = Math.max(1_000, Math.min(wanted, limits.toolRunMs - 1_000));
      return ran(String(command), { cwd, env, timeoutMs, signal });
    },
  };
}

interface Run {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

function ran(command: string, { cwd, env, timeoutMs, signal }: Run): Promise<ToolAnswer> {
  const shell = existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh";
  const child = spawn(shell, ["-c", command], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const output = new OutputWindow();
  child.stdout.on("data", (chunk: Uint8Array) => output.add(chunk));
  child.stderr.on("data", (chunk: Uint8Array) => output.add(chunk));
  let isLate = false;
  const stop = (): void => end(child, "SIGTERM");
  const timer = setTimeout(() => {
    isLate = true;
    stop();
  }, timeoutMs);
  signal.addEventListener("abort", stop, { once: true });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, killed) => {
      // Those it left running may hold its output open for ever.
      const settle = setTimeout(finish, limits.toolSettleMs);
      child.once("close", finish);
      function finish(): void {
        clearTimeout(settle);
        clearTimeout(timer);
        signal.removeEventListener("abort", stop);
        child.stdout.destroy();
        child.stderr.destroy();
        resolve(answerOf(output, { code, killed, isLate, timeoutMs }));
      }
    });
  });
}

/** Ends a command and all it started; what does not heed that is killed. */
function end(child: ChildProcess, how: NodeJS.Signals): void {
  const { pid } = child;
  if (pid === undefined) return;
  try {
    process.kill(-pid, how);
  } catch {
    return;
  }
  if (how === "SIGTERM") setTimeout(() => end(child, "SIGKILL"), limits.toolKillMs).unref();
}

function answerOf(
  output: OutputWindow,
  end: {
    readonly code: number | null;
    readonly killed: NodeJS.Signals | null;
    readonly isLate: boolean;
    readonly timeoutMs: number;
  },
): ToolAnswer {
  const { code, killed, isLate, timeoutMs } = end;
  const why = isLate
    ? `Stopped after ${timeoutMs / 1000} seconds.`
    : killed !== null
      ? `Ended by ${killed}.`
      : code === 0
        ? ""
        : `Exit code ${code}.`;
  const text = output.text();
  return {
    content: [text.trimEnd(), why].filter((part) => part !== "").join("\n") || "(No output.)",
    ...(why !== "" && { isError: true }),
    details: { exitCode: code, bytes: output.bytes },
  };
}
