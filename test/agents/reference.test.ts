import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Search } from "../../src/agents/find-sessions.ts";
import { resolveReference, shortId } from "../../src/agents/reference.ts";
import type { RepriseError } from "../../src/base/errors.ts";
import { errorText } from "../../src/programs/cli/run/errors.ts";
import { coloursFor } from "../../src/programs/cli/terminal/colours.ts";
import { environment, scriptedAgent } from "../programs/cli/scripted-agent.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const claude = scriptedAgent("claude-code", [
  { head: { session: "3f9a1c2b-0000-4000-8000-000000000001", title: "Rate limit the API" } },
  {
    head: {
      session: "3f9b7777-0000-4000-8000-000000000002",
      title: "Fix the login page",
      tags: ["release"],
      updatedAt: "2026-11-12T10:00:00.000Z",
    },
  },
]);
const codex = scriptedAgent("codex", [
  { head: { session: "3f9a1c2b-9999-4000-8000-000000000003", title: "Rate limit docs" } },
]);
const search: Search = { agents: [claude, codex], env: environment() };
const idOf = (text: string): string => resolveReference(text, search).head.session;

test("the beginning of an id finds its session", () => {
  expect(idOf("3f9b")).toBe("3f9b7777-0000-4000-8000-000000000002");
  expect(idOf("3F9B7")).toBe("3f9b7777-0000-4000-8000-000000000002");
});

test("an agent's name in front chooses among its sessions", () => {
  expect(idOf("codex:3f9a")).toBe("3f9a1c2b-9999-4000-8000-000000000003");
});

test("words of a title, in any order, and a tag find a session", () => {
  expect(idOf("login fix")).toBe("3f9b7777-0000-4000-8000-000000000002");
  expect(idOf("release")).toBe("3f9b7777-0000-4000-8000-000000000002");
  expect(idOf("rate limit docs")).toBe("3f9a1c2b-9999-4000-8000-000000000003");
});

test("@last is the newest session", () => {
  expect(idOf("@last")).toBe("3f9b7777-0000-4000-8000-000000000002");
});

test("an event is named behind the session", () => {
  expect(resolveReference("3f9b@57", search).event).toBe("57");
  expect(resolveReference("3f9b@57.2", search).event).toBe("57.2");
  // As transcripts print it.
  expect(resolveReference("3f9b#57", search).event).toBe("57");
  expect(resolveReference("@last@12", search).event).toBe("12");
  expect(resolveReference("codex:3f9a@native-uuid-7", search).event).toBe("native-uuid-7");
});

test("an ambiguous reference names the candidates, newest first", () => {
  expect(() => resolveReference("3f9", search)).toThrowError(/matches 3 sessions/);
  try {
    resolveReference("3f9", search);
  } catch (error) {
    expect(error).toMatchObject({
      code: "ambiguous",
      details: {
        count: 3,
        candidates: [
          { ref: "claude-code:3f9b7777-0000-4000-8000-000000000002" },
          { ref: "claude-code:3f9a1c2b-0000-4000-8000-000000000001" },
          { ref: "codex:3f9a1c2b-9999-4000-8000-000000000003" },
        ],
      },
    });
  }
});

test.each(["", "nothing like it", "codex:ffff", "../../etc/passwd", "@last@", "3f9b@"])(
  "%j is not found",
  (text) => {
    expect(() => resolveReference(text, search)).toThrowError(/No session matches/);
  },
);

test("a path finds the session that lies there", () => {
  const folder = temporaryFolder();
  const path = join(folder, "session.jsonl");
  writeFileSync(path, "{}\n");
  const agent = scriptedAgent("pi", [{ head: { session: "abc", path } }]);
  const here = { agents: [agent], env: environment({ cwd: folder }) };
  expect(resolveReference(path, here).head.session).toBe("abc");
  expect(resolveReference("./session.jsonl", here).head.session).toBe("abc");
  expect(resolveReference("session.jsonl@3", here).event).toBe("3");
});

test("the name of a file leads to the search for sessions that touched it", () => {
  expect(() => resolveReference("src/Page.tsx", search)).toThrowError(
    expect.objectContaining({
      code: "not_found",
      hint: "For a file: `reprise blame src/Page.tsx` says who wrote it, `reprise search --file src/Page.tsx --tool edit` which sessions changed it.",
    }),
  );
});

test("an id of another make keeps what tells it apart", () => {
  expect(shortId("ses_e1f741a4cffeuZoXHpVVK4PU1v")).toBe("ses_e1f741a4cffe");
  expect(shortId("3209dd289f04f077")).toBe("3209dd28");
  expect(shortId("my-session")).toBe("my-session");
});

test("a time-ordered id is shortened to where such ids differ", () => {
  expect(shortId("3f9b7777-0000-4000-8000-000000000002")).toBe("3f9b7777");
  expect(shortId("01a1e08b-9b42-7b33-8000-000000000002")).toBe("01a1e08b-9b42");
});

test("two files with one id are told apart by their paths", () => {
  const twins = scriptedAgent("pi", [
    { head: { session: "same", path: "/a/same.jsonl" } },
    { head: { session: "same", path: "/b/same.jsonl" } },
  ]);
  const refs: unknown[] = [];
  try {
    resolveReference("same", { agents: [twins], env: environment() });
  } catch (error) {
    const { details } = error as { readonly details: { readonly candidates: { ref: string }[] } };
    refs.push(...details.candidates.map(({ ref }) => ref));
  }
  expect(refs).toHaveLength(2);
  for (const ref of refs) expect(ref).toMatch(/^pi:\/[ab]\/same\.jsonl$/);
});

test("agent:@last is the newest session of that agent", () => {
  expect(idOf("codex:@last")).toBe("3f9a1c2b-9999-4000-8000-000000000003");
  expect(idOf("claude:@last")).toBe("3f9b7777-0000-4000-8000-000000000002");
  expect(resolveReference("codex:@last@57", search)).toMatchObject({
    event: "57",
    head: { session: "3f9a1c2b-9999-4000-8000-000000000003" },
  });
});

test("where two agents have the same id, the hint asks for the agent", () => {
  const same = { head: { session: "3f9a1c2b-0000-4000-8000-000000000001" } };
  const twice = { ...search, agents: [scriptedAgent("pi", [same]), scriptedAgent("amp", [same])] };
  const hintOf = (text: string, within: typeof search): unknown => {
    try {
      return resolveReference(text, within);
    } catch (error) {
      return (error as { readonly hint?: string }).hint;
    }
  };
  expect(hintOf("3f9a", twice)).toMatch(
    /^Their ids are the same: type one of these names, such as /,
  );
  expect(hintOf("3f9", search)).toMatch(/^Give more of the id/);
});

function errorOf(text: string, within: typeof search): unknown {
  try {
    return resolveReference(text, within);
  } catch (error) {
    return error;
  }
}

function titled(...titles: readonly string[]): typeof search {
  const sessions = titles.map((title, at) => ({
    head: { session: `5e55${at}`, title, updatedAt: `2026-11-0${at + 1}T10:00:00.000Z` },
  }));
  return { ...search, agents: [scriptedAgent("codex", sessions)] };
}

test("the only title that begins with the words goes before titles that have them further in", () => {
  const within = titled("Deploy to staging failed", "Ask why deploy to staging failed", "Other");
  expect(resolveReference("deploy to staging", within).head.session).toBe("5e550");
  expect(resolveReference("Deploy  to staging fai…", within).head.session).toBe("5e550");
  expect(errorOf("staging deploy", within)).toMatchObject({ code: "ambiguous" });
});

test("of titles that fit, those that begin with the words come first, and more words are asked for", () => {
  const within = titled("Deploy the docs", "Deploy the site", "Then deploy the rest");
  expect(errorOf("deploy the", within)).toMatchObject({
    hint: "Give more words of the title, or type one of these names.",
    details: {
      candidates: [{ ref: "codex:5e551" }, { ref: "codex:5e550" }, { ref: "codex:5e552" }],
    },
  });
});

test("of an original and its copies with its title, the copies are marked and the id is asked for", () => {
  const title = "Tree View";
  const copyOf = "claude-code:8ecab05f-0000-4000-8000-000000000001";
  const sessions = [
    { head: { session: "5e550", title, copyOf, updatedAt: "2026-11-02T10:00:00.000Z" } },
    { head: { session: "5e551", title, updatedAt: "2026-11-01T10:00:00.000Z" } },
  ];
  const error = errorOf("tree view", { ...search, agents: [scriptedAgent("codex", sessions)] });
  expect(error).toMatchObject({
    hint: "Their titles are the same: type one of these names, such as `codex:5e551`.",
    details: {
      candidates: [
        { ref: "codex:5e550", title, copyOf },
        { ref: "codex:5e551", title },
      ],
    },
  });
  const text = errorText(error as RepriseError, coloursFor({}, { isTerminal: false }));
  expect(text).toContain("  codex:5e550  (copy of claude-code:8ecab05f) Tree View\n");
  expect(text).toContain("  codex:5e551  Tree View\n");
});

test("one word behind an agent's name is no word of a title: it may be the id of a session that is gone", () => {
  const within = titled("Lost and found", "found");
  expect(resolveReference("codex:found", within).head.session).toBe("5e551");
  expect(resolveReference("codex:lost and", within).head.session).toBe("5e550");
  expect(errorOf("codex:lost", within)).toMatchObject({
    code: "not_found",
    details: { candidates: [{ ref: "codex:5e550", title: "Lost and found" }] },
  });
});

test("where the name of a file matches titles, the commands for files are named too", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "Makefile"), "all:\n");
  const within = { ...titled("Why Makefile", "Mend Makefile"), env: environment({ cwd: folder }) };
  const hint = expect.stringContaining("`reprise blame Makefile`");
  expect(errorOf("Makefile", within)).toMatchObject({ code: "ambiguous", hint });
  expect(errorOf("Makefile", { ...within, takesPaths: false })).not.toMatchObject({ hint });
});
