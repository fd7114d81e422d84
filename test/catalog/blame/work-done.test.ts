import { expect, test } from "vitest";
import { readSession } from "../../../src/agents/reading.ts";
import { loadAgents } from "../../../src/agents/registry.ts";
import { dialectsOf } from "../../../src/catalog/blame/call-acts.ts";
import { type WorkDone, workDone } from "../../../src/catalog/blame/work-done.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { Conversation } from "../conversation.ts";

const agents = await loadAgents();
const claude = agents.find(({ name }) => name === "claude-code")!;

async function workOf(tell: (session: Conversation) => void): Promise<WorkDone> {
  const home = temporaryFolder();
  const env = { home, cwd: home, platform: "linux", variables: {} } as const;
  const session = new Conversation(env, 1);
  tell(session);
  session.save();
  const [ref] = [...claude.locate(env)];
  const { events } = readSession({ agent: claude, ref: ref! });
  return workDone(events, { dialects: dialectsOf(agents) });
}

test("prompts of a person are counted, and edits that were done are lines", async () => {
  const edit = { file_path: "/srv/a.ts", old_string: "one\ntwo\n", new_string: "one\n2\n3\n" };
  const failing = { ...edit, file_path: "/srv/b.ts" };
  const work = await workOf((session) =>
    session
      .user("Change it.")
      .call("one", "Edit", edit)
      .result("one", "The file was updated.")
      .user("And more.")
      .call("two", "Edit", failing)
      .result("two", "not found", true),
  );
  expect(work).toEqual({ prompts: 2, lines: { added: 2, removed: 1 } });
});

test("a session that changed nothing reports no lines", async () => {
  expect(await workOf((session) => session.user("Why?"))).toEqual({ prompts: 1 });
});
