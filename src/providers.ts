/** From a context to the request bodies of the model APIs, and from their responses to events. No dependency. */
export type { AiGiven, AiMessage, AiResult, AiResultPart, AiSpoken } from "./providers/ai-sdk.ts";
export { fromAiSdk, toAiSdk } from "./providers/ai-sdk.ts";
export type {
  AnthropicBlock,
  AnthropicGiven,
  AnthropicImageType,
  AnthropicMessage,
  AnthropicRequest,
  AnthropicTool,
} from "./providers/anthropic.ts";
export { fromAnthropic, toAnthropic } from "./providers/anthropic.ts";
export type { GeminiContent, GeminiPart, GeminiRequest, GeminiTool } from "./providers/gemini.ts";
export { fromGemini, toGemini } from "./providers/gemini.ts";
export type {
  ChatCall,
  ChatGiven,
  ChatMessage,
  ChatRequest,
  ChatTool,
} from "./providers/openai-chat.ts";
export { fromChat, toChat } from "./providers/openai-chat.ts";
export type {
  ResponsesGiven,
  ResponsesItem,
  ResponsesRequest,
  ResponsesTool,
} from "./providers/openai-responses.ts";
export { fromResponses, toResponses } from "./providers/openai-responses.ts";
export type { Conversation, ProviderTool, RequestOptions } from "./providers/request.ts";
