// Reads a session file by docs/format.md alone, with nothing of the library: a second opinion.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const lineShape = /^(\{.*),"sum":"([0-9a-f]{16})"\}$/s;

/** The events of a file, and every rule of the format that it breaks. */
export function readIndependently(file) {
  const lines = readFileSync(file, "utf8").split("\n");
  const broken = [];
  const events = [];
  if (lines.pop() !== "") broken.push("the last line has no end");
  let sum;
  let lastId = 0;
  lines.forEach((line, index) => {
    // What mending set aside leaves blanks.
    if (/^ *$/.test(line)) return;
    const at = `line ${index + 1}`;
    const [, head, written] = lineShape.exec(line) ?? [];
    const event = written === undefined ? undefined : parsed(line);
    if (event === undefined) {
      broken.push(`${at} is not an event`);
      sum = undefined;
      return;
    }
    if (index === 0) sum = event.base?.sum ?? "";
    if (sum !== undefined && sumOf(sum, head) !== written) broken.push(`${at} does not chain`);
    if (event.id <= lastId) broken.push(`${at} has id ${event.id} after ${lastId}`);
    lastId = event.id;
    sum = written;
    events.push(event);
  });
  return { events, broken };
}

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function sumOf(before, head) {
  return createHash("sha256").update(before).update(head).digest("hex").slice(0, 16);
}
