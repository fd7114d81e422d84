// LangGraph: a thread we wrote is loaded and continued by the real graph and its SQLite checkpointer, and read again.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installed } from "./install.mjs";

const program = fileURLToPath(new URL("../../dist/bin/reprise.js", import.meta.url));
const sqlite = createRequire(import.meta.url).resolve("@photostructure/sqlite");

/** The versions that are asked. The checkpointer's own engine is not built: ours stands in for it, in this test alone. */
export const graphs = [
  {
    agent: "langgraph",
    version: "1.4.18",
    spec: "@langchain/langgraph@1.4.18",
    start: "@langchain/langgraph/dist/index.js",
    beside: [
      "@langchain/core@1.2.13",
      "@langchain/langgraph-checkpoint@1.1.5",
      "@langchain/langgraph-checkpoint-sqlite@1.0.4",
    ],
    overrides: { "@langchain/protocol": "0.0.19" },
  },
];

const script = `
import { DatabaseSync } from ${JSON.stringify(sqlite)};
import { StateGraph, MessagesAnnotation, START, END } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
const [path, thread] = process.argv.slice(2);
const database = new DatabaseSync(path);
const saver = new SqliteSaver({
  pragma: (text) => database.exec("pragma " + text),
  exec: (text) => database.exec(text),
  prepare: (text) => {
    const statement = database.prepare(text);
    return {
      get: (...given) => statement.get(...given),
      all: (...given) => statement.all(...given),
      run: (...given) => statement.run(...given),
    };
  },
  transaction: (work) => (...given) => work(...given),
});
let seen;
const graph = new StateGraph(MessagesAnnotation)
  .addNode("agent", async ({ messages }) => {
    seen = messages.map((one) => [one.getType(), one.content, one.tool_calls?.map(({ id, name, args }) => ({ id, name, args })) ?? []]);
    return { messages: [{ role: "assistant", content: "Answered." }] };
  })
  .addEdge(START, "agent")
  .addEdge("agent", END)
  .compile({ checkpointer: saver });
const config = { configurable: { thread_id: thread } };
await graph.invoke({ messages: [{ role: "user", content: "Continue." }] }, config);
const history = [];
for await (const state of graph.getStateHistory(config)) history.push(state.values.messages?.length ?? 0);
database.close();
process.stdout.write("\\n" + JSON.stringify({ seen, history }));
`;

const conversation = [
  { type: "user", content: "Which port?" },
  { type: "tool_use", call: "c1", name: "Read", input: { file_path: "a.ts" } },
  { type: "tool_result", call: "c1", content: "listen(3000)" },
  { type: "assistant", content: "Port 3000." },
];

/** What is not as promised: none where the graph saw every message, and what it added is read. */
export async function provenGraph(graph, { root }) {
  const { argv } = await installed(graph);
  const folder = argv[1].slice(0, argv[1].indexOf("node_modules"));
  const project = join(root, `graph-${graph.version}`);
  mkdirSync(project);
  const env = { HOME: root, PATH: process.env.PATH };
  const run = (args, input = "") =>
    execFileSync(process.execPath, [program, ...args], {
      cwd: project,
      env,
      encoding: "utf8",
      input,
      stdio: ["pipe", "pipe", "ignore"],
    });
  const lines = conversation.map((event) => `${JSON.stringify(event)}\n`).join("");
  const session = run(["new", "--stdin"], lines).trim();
  const made = JSON.parse(run(["fork", session, "--in", "langgraph", "--json"]));
  const file = join(folder, "continue.mjs");
  writeFileSync(file, script);
  const thread = made.ref.slice("langgraph:".length);
  const out = execFileSync(process.execPath, [file, made.path, thread], {
    cwd: project,
    env,
    encoding: "utf8",
  });
  const { seen, history } = JSON.parse(out.slice(out.lastIndexOf("\n") + 1));
  const wanted = [
    ["human", "Which port?", []],
    ["ai", "", [{ id: "c1", name: "Read", args: { file_path: "a.ts" } }]],
    ["tool", "listen(3000)", []],
    ["ai", "Port 3000.", []],
    ["human", "Continue.", []],
  ];
  const plain = seen.map(([type, content, calls]) => [
    type,
    content.length === 0 ? "" : content,
    calls,
  ]);
  const problems = [];
  if (JSON.stringify(plain) !== JSON.stringify(wanted))
    problems.push(`the graph saw ${JSON.stringify(seen)}`);
  if (history.at(0) !== 6 || history.at(-1) !== 4) problems.push(`its history is ${history}`);
  const { events } = JSON.parse(run(["export", made.ref, "--format", "json"]));
  const last = events.at(-1);
  if (!JSON.stringify(last).includes("Answered."))
    problems.push("what the graph added is not read");
  return problems;
}
