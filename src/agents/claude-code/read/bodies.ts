import {
  asNumber,
  asString,
  isObject,
  type JsonObject,
  withoutAbsent,
} from "../../../base/json.ts";
import { type Block, contentOfBlocks } from "../../../model/block.ts";
import type { EventBody } from "../../../model/event.ts";
import { unmarked } from "../../../model/unseen-mark.ts";
import { fillerText, syntheticModel, titleIn } from "../record-types.ts";
import { usageOf } from "../token-usage.ts";
import { isAsked, isProgramText, isRan } from "../typed-text.ts";
import { blockOf, contentOf, nativeBlocks } from "./content.ts";
import { progressBody } from "./progress.ts";
import { resultDetails } from "./spilled-output.ts";

/** One event a record gives, and whether the program would replay it if the record is on the path. */
export interface Draft {
  readonly body: EventBody;
  readonly replayed: boolean;
}

/** What a record's events need to know besides the record. */
export interface BodyContext {
  /** The record that carries its message's tokens: they are repeated on all of them. */
  readonly bearsUsage: boolean;
  /** The compaction this record's summary belongs to. */
  readonly boundary?: JsonObject | undefined;
  readonly keepFrom?: number | undefined;
  /** The session's own folder, for outputs that were moved out of the transcript. */
  readonly sideFolder: string;
}

/** The events of one record, in the order of its blocks. */
export function draftsOf(record: JsonObject, context: BodyContext): readonly Draft[] {
  switch (record["type"]) {
    case "user":
      return userDrafts(record, context);
    case "assistant":
      return assistantDrafts(record, context);
    case "system":
      return [systemDraft(record)];
    case "attachment":
      return [attachmentDraft(record)];
    case "progress":
      return [{ body: progressBody(record), replayed: false }];
    default:
      return [metadataDraft(record)];
  }
}

function userDrafts(record: JsonObject, context: BodyContext): readonly Draft[] {
  const message = isObject(record["message"]) ? record["message"] : {};
  const blocks = nativeBlocks(message);
  if (record["isCompactSummary"] === true) return [compactionDraft(blocks, context)];
  const drafts: Draft[] = [];
  let said: Block[] = [];
  const flush = (): void => {
    if (said.length > 0) drafts.push(saidDraft(said, record["isMeta"] === true));
    said = [];
  };
  let details = record["toolUseResult"];
  for (const block of blocks) {
    if (isObject(block) && block["type"] === "tool_result") {
      flush();
      drafts.push({ body: resultBody(block, { details, context }), replayed: true });
      // The structured result speaks of one call; a second result in the record has none.
      details = undefined;
    } else said.push(blockOf(block));
  }
  flush();
  if (drafts.length === 0) drafts.push({ body: { type: "user", content: "" }, replayed: false });
  return drafts;
}

function saidDraft(blocks: readonly Block[], isMeta: boolean): Draft {
  const content = contentOfBlocks(unmarked(blocks, isProgramText));
  const asked = blocks.some((block) => block.type !== "text" || isAsked(block.text));
  const ran = !asked && blocks.some((block) => block.type === "text" && isRan(block.text));
  const injected = isMeta || (!asked && !ran);
  const from = injected ? { injected: true } : ran ? { ran: true } : {};
  return {
    body: { type: "user", content, ...from },
    replayed: content !== "",
  };
}

function compactionDraft(blocks: readonly unknown[], context: BodyContext): Draft {
  const texts = blocks.map(blockOf).flatMap((block) => (block.type === "text" ? block.text : []));
  const metadata = context.boundary?.["compactMetadata"];
  const known = isObject(metadata) ? metadata : {};
  const extra = withoutAbsent({
    keepFrom: context.keepFrom,
    tokensBefore: asNumber(known["preTokens"]),
    trigger: asString(known["trigger"]),
  });
  return { body: { type: "compaction", summary: texts.join("\n"), ...extra }, replayed: true };
}

function resultBody(
  block: JsonObject,
  given: { readonly details: unknown; readonly context: BodyContext },
): EventBody {
  const content = contentOf(block);
  const details = resultDetails(content, given.details, given.context.sideFolder);
  return {
    type: "tool_result",
    call: asString(block["tool_use_id"]) ?? "",
    content,
    ...(block["is_error"] === true && { isError: true }),
    ...(details !== undefined && { details }),
  };
}

function assistantDrafts(record: JsonObject, context: BodyContext): readonly Draft[] {
  const message = isObject(record["message"]) ? record["message"] : {};
  const blocks = nativeBlocks(message);
  const synthetic = message["model"] === syntheticModel || record["isApiErrorMessage"] === true;
  const notReplayed = message["model"] === syntheticModel && record["isApiErrorMessage"] === true;
  const stopReason = asString(message["stop_reason"]);
  const shared = withoutAbsent({ message: asString(message["id"]), model: modelIn(message) });
  const calls = blocks.some((block) => isObject(block) && block["type"] === "tool_use");
  const ends = stopReason === "end_turn" && context.bearsUsage && !calls;
  const drafts = (blocks.length === 0 ? [""] : blocks).map((block): Draft => {
    const body = spokenBody(block, shared);
    if (body.type !== "assistant") return { body, replayed: !notReplayed };
    const extra = {
      ...(stopReason !== undefined && { stopReason }),
      ...(ends && { endTurn: true }),
      ...(synthetic && { synthetic: true }),
    };
    const filler = body.content === fillerText;
    return {
      body: { ...body, ...extra },
      replayed: body.content !== "" && (!notReplayed || filler),
    };
  });
  const usage = context.bearsUsage ? usageOf(message["usage"]) : undefined;
  return usage === undefined ? drafts : withUsage(drafts, usage);
}

function withUsage(drafts: readonly Draft[], usage: object): readonly Draft[] {
  const last = drafts.length - 1;
  return drafts.map((draft, at) =>
    at === last ? { ...draft, body: { ...draft.body, usage } as EventBody } : draft,
  );
}

function modelIn(message: JsonObject): string | undefined {
  const model = asString(message["model"]);
  return model === syntheticModel ? undefined : model;
}

function spokenBody(
  block: unknown,
  shared: { readonly message?: string; readonly model?: string },
): EventBody {
  if (isObject(block)) {
    const type = block["type"];
    if (type === "thinking") {
      const signature = asString(block["signature"]);
      const content = asString(block["thinking"]) ?? "";
      return { type: "thinking", content, ...(signature && { signature }), ...shared };
    }
    if (type === "redacted_thinking") {
      const signature = asString(block["data"]);
      return {
        type: "thinking",
        content: "",
        redacted: true,
        ...(signature && { signature }),
        ...shared,
      };
    }
    if (type === "tool_use") {
      return {
        type: "tool_use",
        call: asString(block["id"]) ?? "",
        name: asString(block["name"]) ?? "",
        input: block["input"],
        ...shared,
      };
    }
  }
  return { type: "assistant", content: contentOfBlocks([blockOf(block)]), ...shared };
}

function systemDraft(record: JsonObject): Draft {
  const subtype = asString(record["subtype"]) ?? "";
  const content = asString(record["content"]) ?? "";
  if (subtype === "local_command") {
    // The program shows a local command and its output to the model as the user's words.
    return { body: { type: "user", content, injected: true }, replayed: content !== "" };
  }
  if (subtype === "stop_hook_summary") {
    return { body: { type: "hook", event: "Stop", data: record }, replayed: false };
  }
  return { body: { type: "custom", name: `system:${subtype}`, data: record }, replayed: false };
}

function attachmentDraft(record: JsonObject): Draft {
  const attachment = isObject(record["attachment"]) ? record["attachment"] : {};
  const type = asString(attachment["type"]) ?? "";
  if (type.startsWith("hook_") || type.startsWith("async_hook_")) {
    const event = asString(attachment["hookEvent"]) ?? type;
    const content = contentOf(attachment);
    return {
      body: { type: "hook", event, ...(content !== "" && { content }), data: attachment },
      replayed: type === "hook_additional_context",
    };
  }
  const shown = renderedText(record);
  if (type === "queued_command") {
    // Mostly typed while the agent was at work: a prompt like any other.
    return saidDraft(nativeBlocks(attachment, "prompt").map(blockOf), false);
  }
  if ((type === "file" || type === "directory") && shown !== "") {
    return { body: { type: "user", content: shown, injected: true }, replayed: true };
  }
  // The rest is the program's own furniture: it sets it up again by itself.
  return {
    body: { type: "custom", name: `attachment:${type}`, data: attachment },
    replayed: false,
  };
}

function renderedText(record: JsonObject): string {
  const rendered = record["rendered"];
  if (!Array.isArray(rendered)) return "";
  return rendered
    .flatMap((part) => (isObject(part) ? (asString(part["content"]) ?? []) : []))
    .join("\n");
}

function metadataDraft(record: JsonObject): Draft {
  const type = asString(record["type"]) ?? "";
  const title = titleIn(record);
  const named = type === "custom-title" || type === "ai-title" || type === "agent-name";
  if (named && title !== undefined) return { body: { type: "meta", title }, replayed: true };
  if (type === "summary" && title !== undefined) {
    // A summary may name a leaf of another session, so it is reported, not taken as the title.
    const leaf = asString(record["leafUuid"]);
    return { body: { type: "meta", data: { summary: title, leafUuid: leaf } }, replayed: true };
  }
  return { body: { type: "custom", name: type, data: record }, replayed: false };
}
