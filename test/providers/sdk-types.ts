import type { MessageCreateParamsNonStreaming } from "@anthropic-ai/sdk/resources/messages";
import type { GenerateContentParameters } from "@google/genai";
import type { ModelMessage } from "ai";
import type { ChatCompletionCreateParamsNonStreaming } from "openai/resources/chat/completions";
import type { ResponseCreateParamsNonStreaming } from "openai/resources/responses/responses";
import type { AiMessage } from "../../src/providers/ai-sdk.ts";
import type { AnthropicRequest } from "../../src/providers/anthropic.ts";
import type { GeminiRequest } from "../../src/providers/gemini.ts";
import type { ChatRequest } from "../../src/providers/openai-chat.ts";
import type { ResponsesRequest } from "../../src/providers/openai-responses.ts";

/* Checked by `tsc`: every body is what the provider's own SDK takes. */

type Takes<Wanted, Given extends Wanted> = Given;

export type Anthropic = Takes<MessageCreateParamsNonStreaming, AnthropicRequest>;
export type Chat = Takes<ChatCompletionCreateParamsNonStreaming, ChatRequest>;
export type Gemini = Takes<GenerateContentParameters["contents"], GeminiRequest["contents"]>;
export type AiSdk = Takes<ModelMessage[], AiMessage[]>;

/**
 * The SDK wants ids on what a model said and thought. The API takes both without, as Codex CLI sends them; an id
 * would name something that is not stored there.
 */
type WithIds<Item> = Item extends { type: "reasoning" }
  ? Item & { id: string }
  : Item extends { role: "assistant"; content: (infer Part)[] }
    ? Omit<Item, "content"> & {
        id: string;
        status: "completed";
        content: (Part & { annotations: [] })[];
      }
    : Item;
export type Responses = Takes<
  ResponseCreateParamsNonStreaming,
  Omit<ResponsesRequest, "input"> & { input: WithIds<ResponsesRequest["input"][number]>[] }
>;
