import { join } from "node:path";
import { clock, jsonLines, type SampleFile, type SamplePlace } from "../../model/sample.ts";

const thread = "01a1d7c2-4be0-7a31-b6d2-90c4e5f1a733";

/** A Codex session that patches a file and adds another. */
export function sample(place: SamplePlace): readonly SampleFile[] {
  const ageMinutes = 60 * 24 * 3;
  const at = clock(place, ageMinutes + 6);
  const began = at();
  const records: object[] = [];
  const add = (type: string, payload: object): void => {
    records.push({ timestamp: at(), type, payload });
  };
  const says = (role: "user" | "assistant", text: string): void => {
    const kind = role === "user" ? "input_text" : "output_text";
    add("response_item", { type: "message", role, content: [{ type: kind, text }] });
    if (role === "user") add("event_msg", { type: "user_message", message: text });
    else add("event_msg", { type: "agent_message", message: text });
  };
  const runs = (call: string, cmd: string, output: string): void => {
    const args = JSON.stringify({ cmd });
    add("response_item", {
      type: "function_call",
      name: "exec_command",
      arguments: args,
      call_id: call,
    });
    add("response_item", { type: "function_call_output", call_id: call, output });
  };
  add("session_meta", {
    id: thread,
    timestamp: began,
    cwd: place.project,
    originator: "codex_cli_rs",
    cli_version: "0.105.0",
    source: "cli",
    model_provider: "openai",
    git: { branch: "main" },
  });
  add("turn_context", { cwd: place.project, model: "gpt-5.5", approval_policy: "on-request" });
  says("user", "Add a health endpoint that reports the version from package.json.");
  runs(
    "call_sample1",
    "cat package.json",
    '{ "name": "todo-api", "version": "0.3.0", "type": "module" }\n',
  );
  add("response_item", {
    type: "custom_tool_call",
    call_id: "call_sample2",
    name: "apply_patch",
    input:
      '*** Begin Patch\n*** Update File: src/routes.js\n@@\n   if (path === "/todos") return todosRoute(request, response);\n+  if (path === "/health") return healthRoute(response);\n*** Add File: src/health.js\n+import { readFileSync } from "node:fs";\n+\n+const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url)));\n+\n+export function healthRoute(response) {\n+  response.end(JSON.stringify({ ok: true, version }));\n+}\n*** End Patch\n',
  });
  add("response_item", {
    type: "custom_tool_call_output",
    call_id: "call_sample2",
    output: "Success. Updated the following files:\nA src/health.js\nM src/routes.js\n",
  });
  runs("call_sample3", "curl -s localhost:3000/health", '{"ok":true,"version":"0.3.0"}\n');
  says("assistant", "GET /health answers with the version from package.json.");
  const [day = "", time = ""] = began.slice(0, 19).split("T");
  const name = `rollout-${day}T${time.replaceAll(":", "-")}-${thread}.jsonl`;
  const path = join(".codex", "sessions", ...day.split("-"), name);
  return [{ path, text: jsonLines(records), ageMinutes }];
}
