import { expect, test } from "vitest";
import { SessionManager } from "../../src/index.ts";
import { agentNamed, bring, newUser, sourceOf, targets } from "./stores.ts";

/** What people are asked first in real sessions, and what a person asked only then. */
const prompts = [
  "<objective>\nBuild the thing\n</objective>",
  '{"event": "start", "input": {"a": 1}}',
  "Implement the following plan:\n\n# Add a tab\n\n## Context\n\nThe page has none.",
  "Go on",
];

// OpenCode gives every session a name of its own.
const named = targets.map(({ name }) => name).filter((name) => name !== "opencode");

test.each(named)(
  "an untitled session of %s is called by the first thing a person asked",
  async (to) => {
    const env = newUser();
    const session = SessionManager.create(env.cwd, undefined, { env, sync: "none" });
    for (const prompt of prompts) {
      await session.appendUser(prompt);
      await session.appendAssistant("Done.", { endTurn: true });
    }
    const id = session.getSessionId();
    await session.close();
    const reprise = agentNamed("reprise");
    const ref = [...reprise.locate(env)].find((found) => found.session === id)!;
    const made = sourceOf(await bring({ agent: reprise, ref }, to, env));
    expect(made.agent.head(made.ref, env)?.title).toBe("Add a tab");
  },
);
