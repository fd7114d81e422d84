import { join } from "node:path";
import { clock, jsonLines, type SampleFile, type SamplePlace } from "../../model/sample.ts";

const session = "01a1c0de-5eed-7000-8a11-0c0ffee0beef";

/** A pi session with a name, in which a command fails. */
export function sample(place: SamplePlace): readonly SampleFile[] {
  const ageMinutes = 60 * 24 * 9;
  const at = clock(place, ageMinutes + 5);
  const began = at();
  const header = { type: "session", version: 3, id: session, timestamp: began, cwd: place.project };
  const records: object[] = [header];
  let parentId: string | null = null;
  const add = (type: string, more: object): void => {
    const id = (0xa0b1c200 + records.length).toString(16);
    records.push({ type, id, parentId, timestamp: at(), ...more });
    parentId = id;
  };
  const answer = (content: readonly object[], stopReason: string): void => {
    const usage = { input: 1400, output: 50, cacheRead: 0, cacheWrite: 0, totalTokens: 1450 };
    const made = { api: "openai-completions", provider: "openai", model: "gpt-5.5" };
    add("message", { message: { role: "assistant", content, ...made, usage, stopReason } });
  };
  const result = (call: string, text: string, isError: boolean): void => {
    const content = [{ type: "text", text }];
    add("message", {
      message: { role: "toolResult", toolCallId: call, toolName: "bash", content, isError },
    });
  };
  const bash = (id: string, command: string): object => {
    return { type: "toolCall", id, name: "bash", arguments: { command } };
  };
  add("model_change", { provider: "openai", modelId: "gpt-5.5" });
  add("message", {
    message: { role: "user", content: [{ type: "text", text: "Why does the Docker build fail?" }] },
  });
  answer([bash("call_1", "docker build .")], "toolUse");
  result("call_1", "npm error Missing script: build\n\nCommand exited with code 1", true);
  answer([bash("call_2", "grep -n build Dockerfile")], "toolUse");
  result("call_2", "7:RUN npm run build\n", false);
  answer(
    [
      {
        type: "text",
        text: "Line 7 of the Dockerfile runs `npm run build`, but package.json has no such script: the project needs no build. Remove the line.",
      },
    ],
    "stop",
  );
  add("session_info", { name: "Docker build" });
  const folder = `--${place.project.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-")}--`;
  const name = `${began.replace(/[:.]/g, "-")}_${session}.jsonl`;
  const path = join(".pi", "agent", "sessions", folder, name);
  return [{ path, text: jsonLines(records), ageMinutes }];
}
