import { join } from "node:path";
import { clock, jsonLines, type SampleFile, type SamplePlace } from "../../model/sample.ts";

const rateLimit = "5a3e1c0f-7b64-4d0e-9c55-2f1f6a7d9e10";
const pagination = "c81d42aa-03f9-4b7e-8f36-b0d7719f5e22";

/** Two Claude Code sessions: one with an edit and a failing test, one whose last line is torn. */
export function sample(place: SamplePlace): readonly SampleFile[] {
  const folder = join(".claude", "projects", place.project.replace(/[^A-Za-z0-9]/g, "-"));
  const torn = paginationLines(place);
  return [
    { path: join(folder, `${rateLimit}.jsonl`), text: rateLimitLines(place), ageMinutes: 95 },
    { path: join(folder, `${pagination}.jsonl`), text: torn.slice(0, -180), ageMinutes: 60 * 26 },
  ];
}

type Step =
  | { readonly user: string }
  | { readonly says: string; readonly ends?: boolean }
  | {
      readonly tool: string;
      readonly input: object;
      readonly result: string;
      readonly fails?: boolean;
    };

function lines(
  place: SamplePlace,
  session: { readonly id: string; readonly ageMinutes: number; readonly title?: string },
  steps: readonly Step[],
): string {
  const at = clock(place, session.ageMinutes);
  const records: object[] = [];
  let parentUuid: string | null = null;
  let call = 0;
  const add = (type: "user" | "assistant", message: object, more: object = {}): void => {
    const uuid = `${session.id.slice(0, 24)}${String(records.length + 1).padStart(12, "0")}`;
    records.push({
      parentUuid,
      isSidechain: false,
      type,
      message,
      uuid,
      timestamp: at(),
      userType: "external",
      cwd: place.project,
      sessionId: session.id,
      version: "2.1.325",
      gitBranch: "main",
      ...more,
    });
    parentUuid = uuid;
  };
  const answer = (content: readonly object[], stop: string): void => {
    const usage = { input_tokens: 2400 + records.length * 210, output_tokens: 64 };
    const id = `msg_sample${records.length}`;
    const model = "claude-opus-5-5";
    add("assistant", {
      id,
      type: "message",
      role: "assistant",
      model,
      content,
      stop_reason: stop,
      usage,
    });
  };
  for (const step of steps) {
    if ("user" in step) add("user", { role: "user", content: step.user });
    else if ("says" in step) {
      answer([{ type: "text", text: step.says }], step.ends === false ? "tool_use" : "end_turn");
    } else {
      call += 1;
      const id = `toolu_sample${call}`;
      answer([{ type: "tool_use", id, name: step.tool, input: step.input }], "tool_use");
      const result = { type: "tool_result", tool_use_id: id, content: step.result };
      const content = [step.fails ? { ...result, is_error: true } : result];
      add("user", { role: "user", content }, { toolUseResult: step.result });
    }
  }
  if (session.title !== undefined) {
    records.push({ type: "custom-title", customTitle: session.title, sessionId: session.id });
  }
  return jsonLines(records);
}

function rateLimitLines(place: SamplePlace): string {
  const server = join(place.project, "src", "server.js");
  return lines(place, { id: rateLimit, ageMinutes: 110, title: "Rate limit for POST /todos" }, [
    { user: "Clients hammer POST /todos. Add a rate limit of 20 requests a minute per address." },
    { says: "I will look at how requests are handled first.", ends: false },
    {
      tool: "Read",
      input: { file_path: server },
      result: `1\timport { createServer } from "node:http";\n2\timport { route } from "./routes.js";\n3\t\n4\tcreateServer((request, response) => {\n5\t  route(request, response);\n6\t}).listen(3000);\n`,
    },
    {
      tool: "Edit",
      input: {
        file_path: server,
        old_string:
          "createServer((request, response) => {\n  route(request, response);\n}).listen(3000);",
        new_string:
          'const isAllowed = rateLimit({ perMinute: 20 });\n\ncreateServer((request, response) => {\n  if (request.method === "POST" && !isAllowed(request.socket.remoteAddress)) {\n    response.writeHead(429).end();\n    return;\n  }\n  route(request, response);\n}).listen(3000);',
      },
      result: `The file ${server} has been updated successfully.`,
    },
    {
      tool: "Bash",
      input: { command: "npm test", description: "Run the tests" },
      result:
        "Exit code 1\n\n> todo-api@0.3.0 test\n> node --test\n\n✖ POST /todos answers 429 after 20 requests\n  ReferenceError: rateLimit is not defined\n      at src/server.js:4:19\nℹ tests 14\nℹ pass 13\nℹ fail 1",
      fails: true,
    },
    { says: "The import is missing; I will write the module.", ends: false },
    {
      tool: "Write",
      input: {
        file_path: join(place.project, "src", "rate-limit.js"),
        content:
          "export function rateLimit({ perMinute }) {\n  const counts = new Map();\n  setInterval(() => counts.clear(), 60_000).unref();\n  return (address) => {\n    const count = (counts.get(address) ?? 0) + 1;\n    counts.set(address, count);\n    return count <= perMinute;\n  };\n}\n",
      },
      result: "File created successfully.",
    },
    {
      tool: "Edit",
      input: {
        file_path: server,
        old_string: 'import { route } from "./routes.js";',
        new_string:
          'import { rateLimit } from "./rate-limit.js";\nimport { route } from "./routes.js";',
      },
      result: `The file ${server} has been updated successfully.`,
    },
    {
      tool: "Bash",
      input: { command: "npm test", description: "Run the tests again" },
      result: "> todo-api@0.3.0 test\n> node --test\n\nℹ tests 14\nℹ pass 14\nℹ fail 0",
    },
    {
      says: "POST /todos now answers 429 after 20 requests a minute from one address. All 14 tests pass.\n\nThe counts live in memory, so several processes would each allow 20.",
    },
  ]);
}

function paginationLines(place: SamplePlace): string {
  return lines(place, { id: pagination, ageMinutes: 60 * 26 + 8 }, [
    { user: "GET /todos returns everything. Page it with ?after=<id>&limit=<n>." },
    { says: "Let me see how todos are stored.", ends: false },
    {
      tool: "Grep",
      input: { pattern: "todos\\.(get|set|values)", path: "src" },
      result:
        "src/routes.js:12:  const all = [...todos.values()];\nsrc/store.js:4:  todos.set(todo.id, todo);",
    },
    {
      says: "Ids grow with time, so `after` can be the last id of the page before. I will change the handler.",
      ends: false,
    },
    {
      tool: "Edit",
      input: {
        file_path: join(place.project, "src", "routes.js"),
        old_string: "const all = [...todos.values()];",
        new_string:
          "const page = [...todos.values()].filter((todo) => todo.id > after).slice(0, limit);",
      },
      result: "The file src/routes.js has been updated successfully.",
    },
  ]);
}
