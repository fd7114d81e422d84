import { onTestFinished } from "vitest";
import {
  type AgentSessionOptions,
  type CreatedAgentSession,
  createAgentSession,
} from "../../src/loop/agent-session.ts";
import type { LoopEvent } from "../../src/loop/loop-event.ts";
import type { Model } from "../../src/loop/model.ts";
import { anthropic } from "../../src/loop/models/anthropic.ts";
import { gemini } from "../../src/loop/models/gemini.ts";
import { openai } from "../../src/loop/models/openai.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import { temporaryFolder } from "../temporary-folder.mjs";
import {
  type ModelServer,
  type SeenRequest,
  type ServedStep,
  startModel,
} from "./model-server.mjs";

export const protocols = ["anthropic", "openai", "gemini"] as const;
export type ProtocolName = (typeof protocols)[number];

/** A model of the server in one of the protocols. */
export function modelAt(url: string, protocol: ProtocolName, windowTokens?: number): Model {
  const endpoint = { model: "stub-1", apiKey: "key-of-the-test", baseUrl: url, windowTokens };
  switch (protocol) {
    case "anthropic":
      return anthropic(endpoint);
    case "openai":
      return openai({ ...endpoint, baseUrl: `${url}/v1` });
    case "gemini":
      return gemini(endpoint);
  }
}

/** A server that gives these answers one after the other; the last one again and again. */
export async function serve(
  steps: readonly ServedStep[] | ((request: SeenRequest, count: number) => ServedStep),
): Promise<ModelServer> {
  const next =
    typeof steps === "function"
      ? steps
      : (_: SeenRequest, count: number) => steps[count - 1] ?? steps.at(-1)!;
  const server = await startModel(next);
  onTestFinished(() => server.stop());
  return server;
}

/** An agent in a session of its own, and what it says happened. */
export async function agentWith(
  options: Omit<AgentSessionOptions, "sessionManager"> & {
    readonly sessionManager?: SessionManager;
  },
): Promise<CreatedAgentSession & { readonly manager: SessionManager; readonly told: LoopEvent[] }> {
  const folder = temporaryFolder();
  const manager = options.sessionManager ?? SessionManager.create(folder, folder);
  const created = await createAgentSession({ ...options, sessionManager: manager });
  const told: LoopEvent[] = [];
  created.session.subscribe((event) => told.push(event));
  onTestFinished(async () => {
    await created.session.close();
    await manager.close();
  });
  return { ...created, manager, told };
}

/** What was said to the listeners, as one text. */
export function toldText(told: readonly LoopEvent[]): string {
  return told
    .flatMap((event) =>
      event.type === "message_update" && event.assistantMessageEvent.type === "text_delta"
        ? [event.assistantMessageEvent.delta]
        : [],
    )
    .join("");
}
