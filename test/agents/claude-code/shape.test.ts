import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scanRecord } from "../../../src/agents/claude-code/read/record-shape.ts";
import { shapeIn } from "../../../src/agents/claude-code/read/shape-in.ts";
import { parseObject } from "../../../src/base/json.ts";

const fixtures = join(import.meta.dirname, "..", "..", "fixtures", "claude-code");

const odd = [
  '{"type":"user","parentUuid":null,"uuid":"a","isSidechain":true}',
  '{"type":"user","parentUuid":7,"uuid":"a","message":"text"}',
  '{"type":"system","subtype":"compact_boundary","parentUuid":{"a":1}}',
  '{"type":"attachment","attachment":{"type":"prompt_snapshot"},"parentUuid":[]}',
  '{"type":"assistant","message":{"id":"m","model":"<synthetic>","content":[]},"isApiErrorMessage":true}',
  '{"type":"last-prompt","leafUuid":"b"}',
  '{"type":"something-else","cwd":"/é","gitBranch":"","sourceToolAssistantUUID":"c"}',
  '{"type":5}',
  "{}",
];

test("a parsed record has the shape its bytes have, in every fixture", () => {
  const files = readdirSync(fixtures, { recursive: true, encoding: "utf8" });
  const lines = files
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => readFileSync(join(fixtures, name), "utf8").split("\n"));
  let compared = 0;
  for (const line of [...lines, ...odd]) {
    const record = parseObject(line);
    const bytes = Buffer.from(line);
    const shape = record === undefined ? undefined : shapeIn(record, bytes);
    if (shape === undefined) continue;
    compared += 1;
    expect(shape, line.slice(0, 200)).toEqual(scanRecord(bytes));
  }
  expect(compared).toBeGreaterThan(200);
});
