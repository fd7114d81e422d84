import { spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import {
  type ModelServer,
  type SeenRequest,
  type ServedStep,
  startModel,
} from "../loop/model-server.mjs";
import { type Machine, machine, program, type Result } from "./program.ts";

/** The variables and the model's name that lead a chat to a server, for each protocol. */
export function leadsTo(url: string): Readonly<
  Record<
    "anthropic" | "openai" | "gemini",
    {
      readonly model: string;
      readonly env: Readonly<Record<string, string>>;
    }
  >
> {
  return {
    anthropic: {
      model: "claude-stub",
      env: { ANTHROPIC_API_KEY: "key-of-the-test", ANTHROPIC_BASE_URL: url },
    },
    openai: {
      model: "openai/stub",
      env: { OPENAI_API_KEY: "key-of-the-test", OPENAI_BASE_URL: `${url}/v1` },
    },
    gemini: {
      model: "google/gemini-stub",
      env: { GEMINI_API_KEY: "key-of-the-test", GOOGLE_GEMINI_BASE_URL: url },
    },
  };
}

/** A machine whose chats talk to a model on the loopback. */
export async function chatMachine(
  steps: readonly ServedStep[] | ((request: SeenRequest, count: number) => ServedStep),
  protocol: "anthropic" | "openai" | "gemini" = "anthropic",
): Promise<
  Machine & {
    readonly server: ModelServer;
    chat(input: string, ...args: string[]): Promise<Result>;
  }
> {
  const next =
    typeof steps === "function"
      ? steps
      : (_: SeenRequest, count: number) => steps[count - 1] ?? steps.at(-1)!;
  const server = await startModel(next);
  onTestFinished(() => server.stop());
  const made = machine();
  const { model, env: leading } = leadsTo(server.url)[protocol];
  const env = { ...made.env, ...leading, REPRISE_MODEL: model };
  // Not synchronous: the server lives in this process.
  const chat = async (input: string, ...args: string[]): Promise<Result> => {
    const child = spawn(process.execPath, [program, "chat", ...args], { cwd: made.cwd, env });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (data) => {
      stdout += String(data);
    });
    child.stderr.on("data", (data) => {
      stderr += String(data);
    });
    child.stdin.end(input);
    const [status] = (await once(child, "close")) as [number | null];
    return { status, stdout, stderr };
  };
  return { ...made, env, server, chat };
}
