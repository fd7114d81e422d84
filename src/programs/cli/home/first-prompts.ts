import { join } from "node:path";
import type { Agent, SessionRef } from "../../../agents/contract.ts";
import { type KeptFile, readKept, writeKept } from "../../../agents/kept-file.ts";
import { readSession } from "../../../agents/reading.ts";
import { uptimeMs } from "../../../base/clock.ts";
import type { Environment } from "../../../base/env.ts";
import { buildName } from "../../../base/version.ts";
import { placeKey } from "../../../catalog/index/source.ts";
import { blocksOf, plainText } from "../../../model/block.ts";
import { oneLine } from "../../../model/text.ts";
import { userHome } from "../../../store/home.ts";

/** The prompts by the places of their sessions. */
interface KeptPrompts extends KeptFile {
  readonly prompts: readonly (readonly [string, string])[];
}

/** What of a first prompt is looked through. */
const promptChars = 200;

/** Events that are read of a session at most until a person says something. */
const eventsRead = 40;

/** How long reading goes on before others have their turn, and how often what was read is reported. */
const turnMs = 8;
const toldMs = 250;

/**
 * Reads what people said first in sessions, and says it as it comes. A first prompt does not change: what was read is
 * kept in `derived/`, by where the session lies, and read anew only where it is not there.
 */
export async function readFirstPrompts(
  refs: readonly SessionRef[],
  options: {
    readonly env: Environment;
    readonly agents: readonly Agent[];
    isWanted(): boolean;
    onRead(prompts: ReadonlyMap<string, string>): void;
  },
): Promise<undefined> {
  const { agents, isWanted, onRead } = options;
  const file = join(userHome(options.env).derived, "first-prompts.json");
  const kept = new Map(readKept<KeptPrompts>(file, buildName)?.prompts);
  const known = refs.map(placeKey).flatMap((key) => {
    const prompt = kept.get(key);
    return prompt === undefined ? [] : [[key, prompt] as const];
  });
  if (known.length > 0) onRead(new Map(known));
  const missing = refs.filter((ref) => !kept.has(placeKey(ref)));
  let fresh = new Map<string, string>();
  let turn = uptimeMs();
  let told = uptimeMs();
  for (const ref of missing) {
    const agent = agents.find(({ name }) => name === ref.agent);
    const prompt = agent === undefined ? "" : await firstPrompt({ agent, ref });
    kept.set(placeKey(ref), prompt);
    fresh.set(placeKey(ref), prompt);
    if (uptimeMs() - turn > turnMs) {
      await new Promise((then) => setImmediate(then));
      turn = uptimeMs();
    }
    if (!isWanted()) break;
    if (uptimeMs() - told < toldMs) continue;
    onRead(fresh);
    fresh = new Map();
    told = uptimeMs();
  }
  if (fresh.size > 0) onRead(fresh);
  if (missing.length > 0) writeKept<KeptPrompts>(file, { version: buildName, prompts: [...kept] });
  return undefined;
}

async function firstPrompt(session: {
  readonly agent: Agent;
  readonly ref: SessionRef;
}): Promise<string> {
  try {
    let count = 0;
    for await (const { body } of readSession(session).events) {
      if (body.type === "user" && !body.injected)
        return oneLine(plainText(blocksOf(body.content)), promptChars);
      count += 1;
      if (count > eventsRead) break;
    }
  } catch {
    // What cannot be read says nothing.
  }
  return "";
}
