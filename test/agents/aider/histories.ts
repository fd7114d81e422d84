import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { aider } from "../../../src/agents/aider/index.ts";
import type { AgentEvent, ReadOptions, SessionRef } from "../../../src/agents/contract.ts";
import type { Environment } from "../../../src/base/env.ts";
import { plainText } from "../../../src/model/block.ts";
import type { Damage } from "../../../src/model/damage.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";

// Start lines are local time; the promises below must not depend on the machine's zone.
process.env["TZ"] = "America/New_York";

export const fixtureRoot = join(import.meta.dirname, "../../fixtures/aider/0.86.3");
export const realHistory = join(fixtureRoot, "real-io/.aider.chat.history.md");
export const handwritten = join(fixtureRoot, "handwritten/.aider.chat.history.md");

/** A project folder with a history of the given text. */
export function project(text: string | Buffer): { readonly folder: string; readonly path: string } {
  const made = temporaryFolder();
  const path = join(made, ".aider.chat.history.md");
  writeFileSync(path, text);
  return { folder: made, path };
}

export function environment(cwd: string, variables: Environment["variables"] = {}): Environment {
  return { variables, platform: "linux", home: "/nowhere", cwd };
}

export function wholeFile(path: string, part?: string): SessionRef {
  const stat = statSync(path);
  return {
    agent: "aider",
    session: "s",
    path,
    sizeBytes: stat.size,
    modifiedMs: stat.mtimeMs,
    ...(part === undefined ? {} : { part }),
  };
}

export async function readAll(ref: SessionRef, options: ReadOptions = {}) {
  let events: AgentEvent[] = [];
  let damage: Damage[] = [];
  let restarted = false;
  let cursor = "";
  for await (const batch of aider.read(ref, options)) {
    if (batch.restart) {
      events = [];
      damage = [];
      restarted = true;
    }
    events.push(...batch.events);
    damage.push(...batch.damage);
    cursor = batch.cursor;
  }
  return { events, damage, restarted, cursor };
}

/** Events as short strings. */
export function told(events: readonly AgentEvent[]): string[] {
  return events.map(({ number, live, body }) => {
    const text = "content" in body && body.content !== undefined ? plainText(body.content) : "";
    const more = body.type === "file" ? `${body.action} ${body.path}` : "";
    return `${number}${live ? "" : " dead"} ${body.type} ${text}${more}`.trimEnd();
  });
}
