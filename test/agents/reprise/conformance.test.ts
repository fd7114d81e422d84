import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, test } from "vitest";
import { reprise } from "../../../src/agents/reprise/index.ts";
import { SessionManager } from "../../../src/index.ts";
import { agentCases } from "../../../src/testing/agent-cases.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";

const home = temporaryFolder();
const cwd = join(home, "work");
mkdirSync(cwd);
const env = { variables: {}, platform: "linux", home, cwd } as const;
const sessions: string[] = [];

beforeAll(async () => {
  for (const title of ["plain", "rewound", "compacted"]) {
    const session = SessionManager.create(cwd, undefined, { env, title, sync: "none" });
    sessions.push(session.getSessionId());
    const first = session.appendSync({ type: "user", content: `Begin ${title}` });
    session.appendSync({ type: "assistant", content: "Begun" });
    if (title === "rewound") await session.rewind(first.id);
    session.appendSync({ type: "user", content: "Go on" });
    if (title === "compacted") session.appendSync({ type: "compaction", summary: "Begun" });
    session.appendSync({ type: "assistant", content: "Done" });
    await session.close();
  }
});

test.each(agentCases)("$name", async ({ run }) => {
  await run({ agent: reprise, env, folder: home, sessions });
});
