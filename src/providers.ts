/** From a context to the request bodies of the model APIs, and from their responses to events. No dependency. */
export type { AiMessage } from "./providers/ai-sdk.ts";
export { fromAiSdk, toAiSdk } from "./providers/ai-sdk.ts";
export type { AnthropicRequest } from "./providers/anthropic.ts";
export { fromAnthropic, toAnthropic } from "./providers/anthropic.ts";
export type { GeminiRequest } from "./providers/gemini.ts";
export { fromGemini, toGemini } from "./providers/gemini.ts";
export type { ChatRequest } from "./providers/openai-chat.ts";
export { fromChat, toChat } from "./providers/openai-chat.ts";
export type { ResponsesRequest } from "./providers/openai-responses.ts";
export { fromResponses, toResponses } from "./providers/openai-responses.ts";
export type { Conversation, ProviderTool, RequestOptions } from "./providers/request.ts";
