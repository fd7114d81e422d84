import type { Source } from "../../src/agents/source.ts";
import type { Environment } from "../../src/base/env.ts";
import { SessionManager } from "../../src/index.ts";
import { agentNamed } from "./stores.ts";

/** One pixel. */
export const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/**
 * A native session with everything a conversation can have: thinking, parallel calls answered in another
 * order, a failing tool, an edit, images, scripts of all kinds, a compaction, hooks and system text.
 */
export async function richSession(env: Environment): Promise<Source> {
  const session = SessionManager.create(env.cwd, undefined, { env, title: "A rich session" });
  await session.append({ type: "system", content: "You are helpful." });
  await session.appendUser("forgotten long ago");
  await session.appendAssistant("as it should be");
  const kept = await session.appendUser("# heading 😀 שלום 漢字 \u2028 end\n> quoted\n#### deep\n");
  await session.appendThinking("how to do it", { message: "m1" });
  await session.appendAssistant("I will look.\n# A title\n> a quote", {
    message: "m1",
    endTurn: false,
  });
  const m1 = { message: "m1" };
  await session.appendToolUse("call/1:odd", "Bash", { command: "ls -l", timeout: 5 }, m1);
  await session.appendToolUse("c2", "Read", { file_path: "/x/a.txt", offset: 3 }, m1);
  await session.appendToolResult("c2", "content of a\r\n\twith tabs");
  await session.appendToolResult("call/1:odd", "boom", { isError: true });
  const edit = { file_path: "/x/a.txt", old_string: "a\nb", new_string: "c" };
  await session.appendToolUse("c3", "Edit", edit, { message: "m2" });
  await session.appendToolResult("c3", "done");
  await session.append({ type: "hook", event: "PostToolUse", content: "a hook's words" });
  const made = { file_path: "/x/new.txt", content: "line 1\nline 2\n" };
  await session.appendToolUse("c4", "Write", made, { message: "m3" });
  await session.appendToolResult("c4", "");
  await session.appendToolUse("c5", "mcp__odd__tool", { deep: { list: [1, null, "x"] } });
  await session.appendToolResult("c5", "fine");
  await session.appendAssistant("Finished.");
  await session.appendCompaction("What happened before: little.", { keepFrom: kept.id });
  const image = {
    type: "image",
    mediaType: "image/png",
    source: { kind: "base64", data: pixel },
  } as const;
  await session.appendUser([{ type: "text", text: "see this" }, image]);
  await session.appendAssistant("A pixel.");
  await session.appendUser("/help me with a word that begins with a slash");
  await session.appendAssistant("Of course.");
  const id = session.getSessionId();
  await session.close();
  const agent = agentNamed("reprise");
  const ref = [...agent.locate(env)].find((found) => found.session === id);
  if (ref === undefined) throw new Error("the session is not found");
  return { agent, ref };
}
