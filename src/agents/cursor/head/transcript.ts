import { basename, dirname } from "node:path";
import type { JsonObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import { windowText } from "../../../jsonl/text-window.ts";
import { plainText } from "../../../model/block.ts";
import type { SessionHead } from "../../../model/head.ts";
import { titleOfPrompt } from "../../../model/title.ts";
import type { SessionRef } from "../../contract.ts";
import { factsOfEnds } from "../../head-lines.ts";
import { bodiesOf } from "../read/messages.ts";
import { partsOfText } from "../read/text-transcript.ts";
import { acceptsRecord, messageOf } from "../read/transcript.ts";
import { headOf } from "./frame.ts";

interface Facts {
  prompt?: string;
  role?: unknown;
}

/** The session whose subagent a transcript is, by its place. */
export function parentOf({ path }: SessionRef): string | undefined {
  const folder = dirname(path);
  return basename(folder) === "subagents" ? basename(dirname(folder)) : undefined;
}

/** What the ends of a transcript tell; undefined where nobody says anything in it. */
export function transcriptHead(fd: number, ref: SessionRef): SessionHead | undefined {
  const isText = ref.path.endsWith(".txt");
  const { prompt, role } = isText ? factsOfText(fd) : factsOfLines(fd, ref.sizeBytes);
  if (role === undefined) return undefined;
  const parent = parentOf(ref);
  return headOf(
    ref,
    { title: prompt, titled: false },
    {
      state: role === "assistant" ? "waiting" : "interrupted",
      ...(parent !== undefined && { relation: { kind: "subagent", session: parent } }),
    },
  );
}

function factsOfLines(fd: number, size: number): Facts {
  const { first, last } = factsOfEnds<Facts>(fd, size, {
    accepts: acceptsRecord,
    noteEarly: (facts, record) => {
      facts.prompt ??= promptOf(record);
      return facts.prompt !== undefined;
    },
    noteLate: (facts, record) => {
      facts.role ??= record["role"];
      return facts.role !== undefined;
    },
  });
  return { ...first, ...last };
}

function promptOf(record: JsonObject): string | undefined {
  if (record["role"] !== "user") return undefined;
  for (const body of bodiesOf(messageOf(record), "")) {
    const isTyped = body.type === "user" && body.injected !== true;
    const title = isTyped ? titleOfPrompt(plainText(body.content)) : "";
    if (title !== "") return title;
  }
  return undefined;
}

function factsOfText(fd: number): Facts {
  const text = Buffer.from(windowText(fd, { at: 0, bytes: limits.headBytes }), "latin1");
  const parts = partsOfText(text.toString("utf8"));
  const asked = parts.find(({ body }) => body.type === "user" && body.injected !== true);
  const prompt =
    asked?.body.type === "user" ? titleOfPrompt(plainText(asked.body.content)) : undefined;
  const role = parts.at(-1)?.body.type === "user" ? "user" : "assistant";
  return parts.length === 0 ? {} : { ...(prompt !== undefined && { prompt }), role };
}
