import { asArray, asNumber, asString, isObject, type JsonObject } from "../../../base/json.ts";
import { contentOfBlocks, plainText } from "../../../model/block.ts";
import type { EventBody } from "../../../model/event.ts";
import { titleOfPrompt } from "../../../model/title.ts";
import { isHeader } from "../record-types.ts";
import { blockOf, contentOf, usageOf } from "./content.ts";

/** What one record says, in events. */
export interface RecordBodies {
  /** At least one. */
  readonly bodies: readonly EventBody[];
  /** Whether pi hands it on when it lies on the replayed path: not what it drops on sending. */
  readonly sent: boolean;
  /** How many of the first bodies pi sends no longer, because an edit put others in their place. */
  readonly superseded?: number;
  /** Whether nobody knows this type; it is kept as it is. */
  readonly unknown?: boolean;
}

/** Reads one record. `message` names it where its events must be known to belong together. */
export function bodiesOf(
  record: JsonObject,
  options: { readonly message: string; readonly keepFrom?: number | undefined },
): RecordBodies {
  if (isHeader(record)) return one(headerBody(record));
  switch (record["type"]) {
    case "message":
      return isObject(record["message"])
        ? messageBodies(record["message"], record, options.message)
        : unknownBody(record);
    case "model_change":
      return one({ type: "meta", ...modelOf(record, "modelId") });
    case "thinking_level_change":
      return one({ type: "meta", data: { thinkingLevel: record["thinkingLevel"] } });
    case "compaction": {
      const tokensBefore = asNumber(record["tokensBefore"]);
      return one({
        type: "compaction",
        summary: asString(record["summary"]) ?? "",
        ...(options.keepFrom !== undefined && { keepFrom: options.keepFrom }),
        ...(tokensBefore !== undefined && { tokensBefore }),
        ...(record["fromHook"] === true && { trigger: "extension" }),
      });
    }
    case "branch_summary": {
      const summary = asString(record["summary"]) ?? "";
      return { ...one({ type: "user", content: summary, injected: true }), sent: summary !== "" };
    }
    case "custom":
      return one({
        type: "custom",
        name: asString(record["customType"]) ?? "custom",
        data: record["data"],
      });
    case "custom_message":
      return one(customMessage(record));
    case "label": {
      const target = asString(record["targetId"]) ?? "";
      // An empty label clears; entries made this way keep a hostile `__proto__` an ordinary key.
      const labels = Object.fromEntries([[target, asString(record["label"]) ?? ""]]);
      return one({ type: "meta", labels });
    }
    case "session_info":
      return one({ type: "meta", title: asString(record["name"])?.trim() || null });
    case "usage":
      return one({ type: "custom", name: "usage", data: usageData(record) });
    case "context_edit": {
      const { targetId, replacement } = record;
      return one({ type: "custom", name: "context_edit", data: { targetId, replacement } });
    }
    default:
      return unknownBody(record);
  }
}

/** How many of a record's bodies pi sends. */
export function sentCount({ bodies, sent, superseded = 0 }: RecordBodies): number {
  return sent ? bodies.length - superseded : 0;
}

function usageData(record: JsonObject): JsonObject {
  const { kind, provider, model, usage, note } = record;
  return { kind, provider, model, usage, ...(note !== undefined && { note }) };
}

function one(body: EventBody): RecordBodies {
  return { bodies: [body], sent: true };
}

function unknownBody(record: JsonObject): RecordBodies {
  const name = asString(record["type"]) ?? "unknown";
  return { bodies: [{ type: "custom", name, data: record }], sent: false, unknown: true };
}

function headerBody(header: JsonObject): EventBody {
  const cwd = asString(header["cwd"]);
  const model = asString(header["modelId"]);
  return {
    type: "session_start",
    format: asNumber(header["version"]) ?? 1,
    session: asString(header["id"]) ?? "",
    agent: { name: "pi" },
    ...(cwd !== undefined && { cwd }),
    ...(model !== undefined && { model }),
  };
}

function messageBodies(message: JsonObject, record: JsonObject, id: string): RecordBodies {
  switch (message["role"]) {
    case "user":
      return one({ type: "user", content: contentOf(message) });
    case "system":
      return one({ type: "system", content: systemText(message) });
    case "assistant":
      return assistantBodies(message, id);
    case "toolResult": {
      const name = asString(message["toolName"]);
      return one({
        type: "tool_result",
        call: asString(message["toolCallId"]) ?? "",
        ...(name !== undefined && { name }),
        content: contentOf(message),
        ...(message["isError"] === true && { isError: true }),
        ...(message["details"] !== undefined && { details: message["details"] }),
      });
    }
    case "bashExecution": {
      const sent = !message["excludeFromContext"];
      return { ...one({ type: "user", content: shellText(message), ran: true }), sent };
    }
    case "custom":
    case "hookMessage":
      return one(customMessage(message));
    default:
      return unknownBody(record);
  }
}

function customMessage(record: JsonObject): EventBody {
  const author = asString(record["customType"]);
  return {
    type: "user",
    content: contentOf(record),
    injected: true,
    ...(author !== undefined && { author }),
  };
}

function assistantBodies(message: JsonObject, id: string): RecordBodies {
  const stopReason = asString(message["stopReason"]);
  const usage = usageOf(message["usage"]);
  const shared = { message: id, ...modelOf(message, "model") };
  const bodies: EventBody[] = asArray(message["content"]).map((block) =>
    assistantBlock(block, shared),
  );
  // Older and handwritten sessions may give the answer as plain text.
  const text = asString(message["content"]);
  if (text !== undefined) bodies.push({ type: "assistant", content: text, ...shared });
  if (bodies.length === 0) {
    const content = asString(message["errorMessage"]) ?? "";
    bodies.push({ type: "assistant", content, synthetic: true, ...shared });
  }
  const last = bodies.pop()!;
  if (last.type === "assistant") {
    bodies.push({
      ...last,
      ...(usage !== undefined && { usage }),
      ...(stopReason !== undefined && { stopReason }),
      ...(stopReason === "stop" && { endTurn: true }),
    });
  } else bodies.push(usage === undefined ? last : ({ ...last, usage } as EventBody));
  return { bodies, sent: stopReason !== "error" && stopReason !== "aborted" };
}

function assistantBlock(
  block: unknown,
  shared: { readonly message: string; readonly model?: string },
): EventBody {
  if (isObject(block) && block["type"] === "thinking") {
    const signature = asString(block["thinkingSignature"]);
    return {
      type: "thinking",
      content: asString(block["thinking"]) ?? "",
      ...(signature !== undefined && { signature }),
      ...(block["redacted"] === true && { redacted: true }),
      ...shared,
    };
  }
  if (isObject(block) && block["type"] === "toolCall") {
    return {
      type: "tool_use",
      call: asString(block["id"]) ?? "",
      name: asString(block["name"]) ?? "",
      input: block["arguments"],
      ...shared,
    };
  }
  return { type: "assistant", content: contentOfBlocks([blockOf(block)]), ...shared };
}

function modelOf(record: JsonObject, field: string): { readonly model?: string } {
  const model = asString(record[field]);
  return model === undefined ? {} : { model };
}

/** What pi says the model of a command the user ran with `!`. */
function shellText(message: JsonObject): string {
  const output = asString(message["output"]);
  const exitCode = asNumber(message["exitCode"]);
  const file = asString(message["fullOutputPath"]);
  let text = `Ran \`${asString(message["command"]) ?? ""}\`\n`;
  text += output ? `\`\`\`\n${output}\n\`\`\`` : "(no output)";
  if (message["cancelled"]) text += "\n\n(command cancelled)";
  else if (exitCode) text += `\n\nCommand exited with code ${exitCode}`;
  if (message["truncated"] && file) text += `\n\n[Output truncated. Full output: ${file}]`;
  return text;
}

/** Pi's instructions: a text, and named sections of which a later message may take some away. */
function systemText(message: JsonObject): string {
  const sections = isObject(message["sections"]) ? Object.values(message["sections"]) : [];
  const texts = [plainText(contentOf(message)), ...sections.map((section) => asString(section))];
  return texts.filter(Boolean).join("\n\n");
}

/** The first words a person typed in a record, for a title. */
export function promptOf(record: JsonObject): string | undefined {
  const message = record["message"];
  if (record["type"] !== "message" || !isObject(message) || message["role"] !== "user") {
    return undefined;
  }
  return titleOfPrompt(plainText(contentOf(message))) || undefined;
}
