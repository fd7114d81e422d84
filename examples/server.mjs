// A session for each user behind HTTP. POST /<user> appends a prompt and answers; GET /<user> gives the conversation.
//   node examples/server.mjs ./sessions 8080
import { createServer } from "node:http";
import { isRepriseError, plainText, SessionManager } from "reprise";

const [dir = "./sessions", port = "8080"] = process.argv.slice(2);
const sessions = new Map();

/** The user's session: kept open while the process lives. Idle ones hold no descriptor and no lease. */
function sessionOf(user) {
  const known = sessions.get(user);
  if (known !== undefined) return known;
  const opened = openOrCreate(user);
  sessions.set(user, opened);
  return opened;
}

function openOrCreate(user) {
  try {
    return SessionManager.open({ key: user }, { dir });
  } catch (error) {
    if (!isRepriseError(error, "not_found")) throw error;
    return SessionManager.create(process.cwd(), dir, { key: user });
  }
}

const routes = {
  GET: (session) =>
    session.buildSessionContext().messages.map(({ role, content }) => ({
      role,
      text: plainText(content),
    })),
  POST: async (session, text) => {
    await session.appendUser(text);
    const { messages } = session.buildSessionContext();
    const answer = `Message ${messages.length} of yours and mine.`;
    await session.appendAssistant(answer, { endTurn: true });
    return { answer };
  },
};

const server = createServer(async (request, response) => {
  try {
    const user = decodeURIComponent(request.url.slice(1));
    const act = routes[request.method];
    if (user === "" || act === undefined) return response.writeHead(404).end();
    const body = await act(sessionOf(user), await textOf(request));
    response.setHeader("content-type", "application/json").end(JSON.stringify(body));
  } catch (error) {
    // A conflict means that another process went on with this session: reload, and let the user ask again.
    const isConflict = isRepriseError(error, "conflict");
    response.writeHead(isConflict ? 409 : 500).end(`${error.message}\n${error.hint ?? ""}`);
  }
});
server.listen(Number(port), "127.0.0.1", () => console.log(server.address().port));

process.on("SIGTERM", async () => {
  server.close();
  await Promise.all([...sessions.values()].map((session) => session.close()));
});

async function textOf(request) {
  let text = "";
  for await (const piece of request.setEncoding("utf8")) {
    text += piece;
    if (text.length > 1_000_000) throw new Error("The prompt is too long.");
  }
  return text;
}
