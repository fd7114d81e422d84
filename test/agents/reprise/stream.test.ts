import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ReadOptions, SessionRef } from "../../../src/agents/contract.ts";
import { read } from "../../../src/agents/reprise/read.ts";
import { processEnvironment } from "../../../src/base/env.ts";
import { limits } from "../../../src/base/limits.ts";
import { SessionManager } from "../../../src/store/session-manager.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";

const piece = "word ".repeat(limits.partBytes / 5 + 1);

function begin(): { readonly session: SessionManager; ref(): SessionRef } {
  const root = join(temporaryFolder(), "home");
  const env = { ...processEnvironment(), variables: { REPRISE_HOME: root } };
  const session = SessionManager.create("/tmp", undefined, { env });
  session.appendSync({ type: "user", content: "hello" });
  const path = session.getSessionFile()!;
  const ref = () => {
    const { size, mtimeMs } = statSync(path);
    const sizes = { sizeBytes: size, modifiedMs: mtimeMs };
    return { agent: "reprise", session: session.getSessionId(), path, root, ...sizes };
  };
  return { session, ref };
}

async function reading(ref: SessionRef, options: ReadOptions = {}) {
  const texts: string[] = [];
  let restarted = false;
  let cursor = "";
  for await (const batch of read(ref, options)) {
    restarted ||= batch.restart === true;
    cursor = batch.cursor;
    for (const { body } of batch.events)
      if (body.type === "assistant") texts.push(String(body.content));
  }
  return { texts, restarted, cursor };
}

test("who read an unfinished text reads anew once it is another one, and only then", async () => {
  const { session, ref } = begin();
  const out = session.stream();
  out.text(piece);
  await session.note("between");
  const first = await reading(ref());
  expect(first.texts).toEqual([piece]);
  const same = await reading(ref(), { from: first.cursor });
  expect(same).toMatchObject({ texts: [], restarted: false });
  out.text(piece);
  expect(await reading(ref(), { from: first.cursor })).toMatchObject({
    texts: [piece + piece],
    restarted: true,
  });
  await out.end();
  const whole = await reading(ref(), { from: first.cursor });
  expect(whole).toMatchObject({ texts: [piece + piece], restarted: true });
  await session.appendUser("next");
  await session.appendAssistant("more");
  expect(await reading(ref(), { from: whole.cursor })).toMatchObject({
    texts: ["more"],
    restarted: false,
  });
  expect((await reading(ref(), { last: 3 })).texts).toEqual([piece + piece, "more"]);
  await session.close();
});

test("a text that stays unfinished is read once, and what follows goes on from there", async () => {
  const { session, ref } = begin();
  const out = session.stream();
  out.text(piece);
  const first = await reading(ref());
  // Another process goes on after this one was killed.
  const other = SessionManager.open(session.getSessionFile()!, {
    env: { ...processEnvironment(), variables: { REPRISE_HOME: ref().root! } },
  });
  session.appendSync({ type: "note", content: "gives the lease back soon" });
  await other.appendUser("go on");
  expect(await reading(ref(), { from: first.cursor })).toMatchObject({
    texts: [],
    restarted: false,
  });
  expect((await reading(ref())).texts).toEqual([piece]);
  await Promise.all([other.close(), out.abort().catch(() => undefined)]);
  await session.close();
});
