import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { verifyLog } from "../../src/log/verify.ts";
import type { Damage } from "../../src/model/damage.ts";
import { FileLog } from "../../src/store/file-log.ts";
import { folderHome } from "../../src/store/home.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const writer = fileURLToPath(new URL("children/steady-writer.mjs", import.meta.url));

/** After so many reads the writer gets a fresh file, so that the disk is not filled. */
const readsPerFile = 10_000;

interface Seen {
  reads: number;
  events: number;
  grew: number;
  readonly damage: Damage[];
}

/** Reads the end of a live session in every way there is, and checks that it only grows. */
function readOn(log: FileLog, reads: number, length: number, seen: Seen): void {
  const onDamage = (damage: Damage) => seen.damage.push(damage);
  let last = 0;
  for (let read = 0; read < reads; read += 1) {
    const id = log.lastId();
    if (id < last) throw new Error(`the end went back from ${last} to ${id}`);
    if (id > last) seen.grew += 1;
    last = id;
    let newest = 0;
    if (read % 2 === 0) {
      for (const event of log.events({ reverse: true, onDamage })) {
        newest = event.id;
        checkWhole(event, length);
        seen.events += 1;
        break;
      }
    } else if (read % 500 === 1) {
      // Finding a number first costs more than reading the end does.
      for (const event of log.events({ from: id, onDamage })) {
        if (newest === 0) newest = event.id;
        checkWhole(event, length);
        seen.events += 1;
      }
    } else {
      for (const step of log.path()) {
        if (step.kind === "damage") onDamage(step.damage);
        else {
          newest = Math.max(newest, step.event.id);
          checkWhole(step.event, length);
          seen.events += 1;
          if (step.event.id < last) break;
        }
      }
    }
    if (newest < id) throw new Error(`event ${id} was there, then ${newest} was the newest`);
    seen.reads += 1;
  }
}

function checkWhole(event: { readonly type: string; readonly id: number }, length: number): void {
  const content = "content" in event ? event.content : undefined;
  if (event.type === "note" && (typeof content !== "string" || content.length !== length)) {
    throw new Error(`event ${event.id} was read in part`);
  }
}

async function readWhileWritten(folder: string, length: number, seen: Seen): Promise<void> {
  const session = SessionManager.create(folder, folder, { sync: "none" });
  const file = session.getSessionFile()!;
  await session.close();
  const child = spawn(process.execPath, [writer, file, String(length)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface(child.stdout);
  const said: string[] = [];
  lines.on("line", (line) => said.push(line));
  await once(lines, "line");
  const log = FileLog.open(folderHome(folder), file);
  readOn(log, readsPerFile, length, seen);
  child.stdin.end();
  await once(child, "close");
  expect(said.at(-1), "nothing was cut off under the writer").toBe(`last ${log.lastId()}`);
  await log.close();
  const fd = openSync(file, "r");
  const { problems, unfinishedBytes, events } = verifyLog(fd, { firstId: 1, firstSum: "" });
  closeSync(fd);
  expect({ problems, unfinishedBytes }).toEqual({ problems: [], unfinishedBytes: 0 });
  expect(said.at(-1)).toBe(`last ${events}`);
  rmSync(file);
}

test.each([
  { length: 1_000, files: 9 },
  { length: 60_000, files: 1 },
])(
  "readers beside a writer of $length byte lines see whole events only, and call nothing damaged",
  async ({ length, files }) => {
    const folder = temporaryFolder();
    const seen: Seen = { reads: 0, events: 0, grew: 0, damage: [] };
    for (let file = 0; file < files; file += 1) await readWhileWritten(folder, length, seen);
    expect(seen.damage).toEqual([]);
    expect(seen.reads).toBe(files * readsPerFile);
    expect(seen.events).toBeGreaterThanOrEqual(seen.reads);
    expect(seen.grew, "the file grew between the reads").toBeGreaterThan(seen.reads / 100);
  },
  240_000,
);
