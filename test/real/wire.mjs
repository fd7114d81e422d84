// The four APIs: how each is answered, and how the conversation in a request is told in neutral words.
//
// An atom is one of
//   {kind: "user" | "assistant", text}   {kind: "image", data}
//   {kind: "call", id, name, input}      {kind: "result", id, text}
// What a provider calls system instructions is no part of the conversation.
import { anthropic } from "./wire-anthropic.mjs";
import { chat } from "./wire-chat.mjs";
import { gemini } from "./wire-gemini.mjs";
import { responses } from "./wire-responses.mjs";

/** Each: `path` of its requests, `hasTools`, `atoms` of a request, `reply` with one step. */
export const wires = [anthropic, responses, chat, gemini];
