import { chmodSync } from "node:fs";
import { expect, test } from "vitest";
import type { Environment } from "../../../src/base/env.ts";
import { claudeRecord, emptyHome, putLines, reportFor } from "./machine.ts";

/** Runs as somebody who is not allowed everything, as root is. */
async function asNobody<T>(run: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return run();
  process.seteuid!(65534);
  try {
    return await run();
  } finally {
    process.seteuid!(0);
  }
}

/** A home with one session nobody may read. */
function shutHome(): { readonly env: Environment; readonly file: string } {
  const env = emptyHome();
  const file = putLines(env, ".claude/projects/-home-dev-acme/s1.jsonl", [claudeRecord({})]);
  chmodSync(env.home, 0o777);
  chmodSync(file, 0o000);
  return { env, file };
}

test("a file that could not be read is told while it cannot be, and counts as soon as it can be", async () => {
  const { env, file } = shutHome();
  const told = await asNobody(async () => {
    await reportFor(env);
    return reportFor(env);
  });
  // Nothing has changed: it is told again, and not tried.
  expect([told.totals.messages, told.notes.unreadable, told.notes.readBytes]).toEqual([0, 1, 0]);
  chmodSync(file, 0o600);
  const { totals, notes } = await reportFor(env);
  expect([totals.messages, notes.unreadable]).toEqual([1, 0]);
});
