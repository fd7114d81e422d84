/** Answers with server-sent events; `named` events carry their type as the event's name too. */
export function sse(response, events, { named = false, done = false } = {}) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) {
    if (named) response.write(`event: ${event.type}\n`);
    response.write(`data: ${JSON.stringify(event)}\n\n`);
  }
  response.end(done ? "data: [DONE]\n\n" : "");
}

/** Answers with one JSON value. */
export function json(response, value) {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

/** The text of blocks in any of the APIs' shapes; what is not text is left out. */
export function textOf(content) {
  if (typeof content === "string") return content;
  return (content ?? []).map((block) => block.text ?? "").join("");
}
