import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { loadAgent, loadAgents } from "../../src/agents/registry.ts";
import type { Environment } from "../../src/base/env.ts";
import { Finder, type FinderOptions } from "../../src/catalog/query/finder.ts";
import type { Found } from "../../src/catalog/query/found.ts";
import type { SearchRequest } from "../../src/catalog/query/request.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const fixtures = join(import.meta.dirname, "..", "fixtures");

/** An empty home folder that is removed after the test. */
export function emptyHome(): Environment {
  const home = temporaryFolder();
  const cwd = join(home, "work");
  mkdirSync(cwd);
  return { variables: { HOME: home }, platform: process.platform, home, cwd };
}

/** A home with the sessions real agents wrote, every one of them that a home can hold at once. */
export function fixtureHome(): Environment {
  const env = emptyHome();
  for (const agent of ["claude-code", "codex", "gemini-cli", "opencode"]) {
    for (const version of foldersIn(join(fixtures, agent))) {
      for (const sample of foldersIn(version)) {
        for (const store of foldersIn(sample).filter((path) => /\/\.[a-z]+$/.test(path))) {
          cpSync(store, join(env.home, store.slice(sample.length + 1)), { recursive: true });
        }
      }
    }
  }
  const pi = join(env.home, ".pi", "agent", "sessions", "--home-dev-acme--");
  for (const sample of foldersIn(join(fixtures, "pi", "0.73.1"))) {
    cpSync(sample, pi, { recursive: true });
  }
  cpSync(
    join(fixtures, "aider", "0.86.3", "handwritten", ".aider.chat.history.md"),
    join(env.cwd, ".aider.chat.history.md"),
  );
  return env;
}

function foldersIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name))
    .sort();
}

/** How a finder works in tests: everything in this thread, no hurry. */
export function options(env: Environment): FinderOptions {
  return {
    env,
    agents: loadAgents,
    agent: loadAgent,
    nowMs: Date.parse("2026-11-20T00:00:00Z"),
  };
}

/** Searches once, everything shown. */
export async function find(
  env: Environment,
  request: string | SearchRequest,
  more: Partial<FinderOptions> = {},
): Promise<Found> {
  const finder = await Finder.open({ ...options(env), ...more });
  try {
    const asked =
      typeof request === "string" ? ({ text: request, mode: "words" } as const) : request;
    return await finder.search(asked, { sessions: 10_000, events: 10_000 });
  } finally {
    finder.close();
  }
}

/** What was found, as `agent:session@event` in a stable order. */
export function places(found: Found): readonly string[] {
  return found.sessions
    .flatMap(({ facts, events }) =>
      events.map(({ number }) => `${facts.agent}:${facts.session}@${number}`),
    )
    .sort();
}

/** What was found in its order, with every part of every score. */
function ranking(found: Found): unknown {
  return found.sessions.map(({ ref, facts, score, total, events, prompts, prompt }) => ({
    session: `${ref.agent}:${facts.session}`,
    score,
    total,
    prompts,
    prompt,
    events: events.map(({ number, kind, score: ofEvent, snippet }) => ({
      number,
      kind,
      score: ofEvent,
      snippet: snippet?.text,
    })),
  }));
}

/** The places each query finds with the index; reading the sessions finds the same. Leaves no index behind. */
export async function bothWays(
  env: Environment,
  queries: readonly string[],
): Promise<readonly (readonly string[])[]> {
  const indexed: Found[] = [];
  for (const query of queries) indexed.push(await find(env, query));
  // Without a place for it there is no index, and the sessions themselves are read.
  const derived = join(env.home, ".reprise", "derived");
  rmSync(derived, { recursive: true, force: true });
  writeFileSync(derived, "");
  for (const [at, query] of queries.entries()) {
    const found = await find(env, query);
    expect(found.notes.join()).toContain("the sessions themselves are read");
    expect(ranking(found), query).toEqual(ranking(indexed[at]!));
  }
  return indexed.map(places);
}
