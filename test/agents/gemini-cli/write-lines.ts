import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../temporary-folder.mjs";

const folder = temporaryFolder();
let files = 0;

export const header = {
  sessionId: "s",
  projectHash: "h",
  startTime: "2026-01-02T10:00:00.000Z",
  lastUpdated: "2026-01-02T10:00:00.000Z",
  kind: "main",
};

let clock = 0;
const stamp = () => new Date(Date.UTC(2026, 0, 2, 11) + 1000 * clock++).toISOString();

export const user = (id: string, content: unknown, more = {}) => ({
  id,
  timestamp: stamp(),
  type: "user",
  content,
  ...more,
});
export const model = (id: string, content: unknown, more = {}) => ({
  id,
  timestamp: stamp(),
  type: "gemini",
  content,
  ...more,
});
export const call = (id: string, name: string, output?: string, more = {}) => ({
  id,
  name,
  args: { of: id },
  status: "success",
  ...(output === undefined
    ? {}
    : { result: [{ functionResponse: { id, name, response: { output } } }] }),
  ...more,
});
export const answer = (id: string, name: string, output: string) => ({
  functionResponse: { id, name, response: { output } },
});

export const lines = (...records: unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");

/** A session file with the given records. */
export function sessionFile(...records: unknown[]): string {
  files += 1;
  const path = join(folder, `session-2026-01-02T10-00-${files}.jsonl`);
  writeFileSync(path, lines(...records));
  return path;
}

/** A file with the given text. */
export function textFile(name: string, text: string | Buffer): string {
  files += 1;
  const path = join(folder, `${files}-${name}`);
  writeFileSync(path, text);
  return path;
}

/** A saved chat with the given text. */
export function savedChat(text: string): string {
  files += 1;
  const path = join(folder, `checkpoint-${files}.json`);
  writeFileSync(path, text);
  return path;
}

export function append(path: string, ...records: unknown[]): void {
  appendFileSync(path, lines(...records));
}
