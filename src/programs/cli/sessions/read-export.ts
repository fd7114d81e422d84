import { closeSync, readSync, statSync } from "node:fs";
import type { AgentEvent } from "../../../agents/contract.ts";
import { asArray, asString, isObject, type JsonObject, parseObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import { openForReading, readRegular } from "../../../base/open-file.ts";
import { recordsForward } from "../../../jsonl/records.ts";
import type { EventBody } from "../../../model/event.ts";
import type { SessionHead } from "../../../model/head.ts";
import { exportFormat } from "../render/json.ts";
import { type ImportSource, notAnExport, notASession } from "./import-session.ts";

/** Reads a file that `export --format json` or jsonl wrote; JSON lines are streamed. */
export function readExport(path: string): ImportSource {
  const first = firstLine(path);
  const header = first === undefined ? undefined : parseObject(first);
  if (header !== undefined && header["events"] === undefined) {
    return { head: headOf(header), events: eventLines(path) };
  }
  if (statSync(path).size > limits.stdinBytes) throw notAnExport("it is too large; use jsonl");
  const whole = parseObject(readRegular(path).toString("utf8"));
  if (whole === undefined) throw notASession();
  return { head: headOf(whole), events: eventList(asArray(whole["events"])) };
}

function firstLine(path: string): string | undefined {
  const fd = openForReading(path);
  try {
    const bytes = Buffer.alloc(limits.headBytesMax);
    const text = bytes.toString("utf8", 0, readSync(fd, bytes, 0, bytes.length, 0));
    const end = text.indexOf("\n");
    return end < 0 ? undefined : text.slice(0, end);
  } finally {
    closeSync(fd);
  }
}

function headOf(record: JsonObject): SessionHead {
  const { format } = record;
  if (format === undefined) throw notASession();
  if (format !== exportFormat) throw notAnExport(`its format is ${JSON.stringify(format)}`);
  const head = record["session"];
  if (
    !isObject(head) ||
    asString(head["agent"]) === undefined ||
    asString(head["session"]) === undefined
  ) {
    throw notAnExport("it does not say which session it is");
  }
  return head as unknown as SessionHead;
}

async function* eventLines(path: string): AsyncGenerator<AgentEvent> {
  const fd = openForReading(path);
  try {
    let hasEnd = false;
    for (const { records, line, damage } of recordsForward(fd)) {
      if (damage !== undefined) throw notAnExport(`line ${line} is damaged`);
      for (const record of records) {
        if (record["format"] !== undefined && line === 1) continue;
        if (record["damage"] !== undefined && record["body"] === undefined) hasEnd = true;
        else yield eventOf(record, `line ${line}`);
      }
    }
    if (!hasEnd) throw notAnExport("its end is missing");
  } finally {
    closeSync(fd);
  }
}

async function* eventList(events: readonly unknown[]): AsyncGenerator<AgentEvent> {
  for (const [index, event] of events.entries()) yield eventOf(event, `event ${index + 1}`);
}

function eventOf(value: unknown, place: string): AgentEvent {
  if (!isObject(value) || !isObject(value["body"])) throw notAnExport(`${place} has no body`);
  const { number, at, live, body } = value;
  if (typeof number !== "string" || typeof body["type"] !== "string") {
    throw notAnExport(`${place} has no number or type`);
  }
  return {
    number,
    ...(typeof at === "string" && !Number.isNaN(Date.parse(at)) && { at }),
    live: live !== false,
    body: body as unknown as EventBody,
  };
}
