// A model on the loopback that says what it is told and remembers what it was sent. It speaks Anthropic
// Messages, OpenAI Responses and Chat Completions, and Gemini generateContent, streaming or not. It is also
// the only proxy the programs know: whoever wants to leave the machine is refused and remembered.
import { createServer } from "node:http";
import { wires } from "./wire.mjs";

/** What a request that is no conversation is answered: titles, summaries, classifiers. */
const aside = "Aside";

/** Answers of all stubs are counted together: no two calls get the same id, wherever they end up. */
let answers = 0;

/**
 * Starts a stub on a free port.
 *
 * `say(probe, steps)` sets the answers to the conversation whose prompt holds `probe`: each step is a text
 * or `{name, input}` of a tool call, one per request; `{after, says}` says it once the promise is kept.
 */
export async function startStub() {
  const requests = [];
  const refused = [];
  const scripts = new Map();
  const listening = new Set();
  const server = createServer((request, response) => {
    receive(request)
      .then((body) => answer(request, body, response))
      .catch((error) => response.destroy(error));
  });

  async function answer(request, body, response) {
    const wire = wires.find(({ path }) => path.test(request.url));
    if (request.method !== "POST" || wire === undefined) return other(request, response);
    if (/count_?tokens/i.test(request.url))
      return json(response, { input_tokens: 10, totalTokens: 10 });
    const text = JSON.stringify(body);
    // Only conversations offer tools; titles and summaries quote the prompt too, but offer none. Earlier
    // prompts are still in it, so the newest one counts.
    const asked = wire.hasTools(body)
      ? [...scripts.keys()].filter((key) => text.includes(key))
      : [];
    const probe = asked.at(-1);
    const steps = probe === undefined ? [wire.aside?.(text) ?? aside] : scripts.get(probe);
    const step = steps.length > 1 ? steps.shift() : steps[0];
    requests.push({ url: request.url, wire, probe, body });
    for (const hear of listening) hear(probe);
    answers += 1;
    const serial = answers;
    await step.after;
    wire.reply(response, { step: step.says ?? step, body, url: request.url, serial });
  }

  server.on("connect", (request, socket) => {
    socket.on("error", () => undefined);
    // Some programs ask their proxy even for the loopback.
    if (request.url === `127.0.0.1:${server.address().port}`) {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      server.emit("connection", socket);
      return;
    }
    refused.push(request.url);
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  server.on("clientError", (_error, socket) => socket.destroy());
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    refused,
    say: (probe, steps) => scripts.set(probe, [...steps]),
    /** Resolves with the first request that holds the probe. */
    asked: (probe) =>
      new Promise((resolve) => {
        listening.add((heard) => heard === probe && resolve());
      }),
    /** The conversations that held the probe, oldest first, each as the atoms the model was sent. */
    conversations: (probe) =>
      requests
        .filter((request) => request.probe === probe)
        .map(({ wire, body }) => [...wire.atoms(body)]),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  };
}

function other(request, response) {
  // What Amp asks its server besides the model: who the user is, and to keep the thread.
  if (/\/api\/internal/.test(request.url))
    return json(response, {
      ok: true,
      result: { id: "user", email: "dev@localhost", features: [] },
    });
  if (/\/models/.test(request.url)) return json(response, { object: "list", data: [], models: [] });
  return json(response, {});
}

function json(response, value) {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

async function receive(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
