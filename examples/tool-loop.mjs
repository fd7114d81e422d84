// A model that calls tools, against any endpoint that speaks Chat Completions:
//   OPENAI_BASE_URL=http://127.0.0.1:11434/v1 node examples/tool-loop.mjs "Which files are here?"
import { readdirSync } from "node:fs";
import { SessionManager } from "reprise";
import { createAgentSession, openai } from "reprise/loop";

const sessionManager = SessionManager.continueRecent(process.cwd());
const { session } = await createAgentSession({
  model: openai({
    model: process.env.MODEL ?? "local",
    apiKey: process.env.OPENAI_API_KEY ?? "none",
    baseUrl: process.env.OPENAI_BASE_URL,
  }),
  systemPrompt: "You answer questions about files.",
  tools: [
    {
      name: "list_files",
      description: "Lists the files of a folder.",
      parameters: { type: "object", properties: { folder: { type: "string" } } },
      run: ({ folder = "." }) => readdirSync(folder).join("\n"),
    },
  ],
  // This tool only reads: nobody needs to be asked.
  approve: () => "once",
  sessionManager,
});
session.subscribe((event) => {
  if (event.type !== "message_update") return;
  const { type, delta } = event.assistantMessageEvent;
  if (type === "text_delta") process.stdout.write(delta);
});
await session.prompt(process.argv[2] ?? "Which files are here?");
process.stdout.write("\n");
await sessionManager.close();
