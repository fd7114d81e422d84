import { json, sse } from "./sse.mjs";

/** Gemini generateContent. */
export const gemini = {
  path: /:(streamGenerateContent|generateContent|countTokens)/,
  hasTools: (body) =>
    (body.tools ?? []).some((tool) => (tool.functionDeclarations ?? []).length > 0),
  /** A summary has the form it is asked for. */
  aside: (text) =>
    text.includes("<state_snapshot>")
      ? "<state_snapshot>\n<overall_goal>Aside</overall_goal>\n</state_snapshot>"
      : undefined,
  *atoms({ contents }) {
    for (const { role, parts } of contents) {
      for (const part of parts) yield* atomsOfPart(role === "model" ? "assistant" : "user", part);
    }
  },
  reply(response, { step, url, body, serial }) {
    const isText = typeof step === "string";
    // Asked for JSON, the side requests get a value that fits none and harms none.
    const text = body.generationConfig?.responseMimeType === "application/json" ? "{}" : step;
    const part = isText
      ? { text }
      : { functionCall: { id: `call_stub_${serial}`, name: step.name, args: step.input } };
    const whole = {
      candidates: [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
      modelVersion: "stub",
    };
    if (url.includes(":streamGenerateContent")) sse(response, [whole]);
    else json(response, whole);
  },
};

function* atomsOfPart(kind, part) {
  if (part.functionCall !== undefined) {
    const { id, name, args } = part.functionCall;
    yield { kind: "call", id, name, input: args };
  } else if (part.functionResponse !== undefined) {
    const { id, response, parts } = part.functionResponse;
    yield {
      kind: "result",
      id,
      text: response.output ?? response.error ?? JSON.stringify(response),
    };
    for (const { inlineData } of parts ?? []) yield { kind: "image", data: inlineData.data };
  } else if (part.inlineData !== undefined) yield { kind: "image", data: part.inlineData.data };
  else if (part.thought) yield { kind: "thinking", text: part.text };
  else if (part.text !== undefined) yield { kind, text: part.text };
}
