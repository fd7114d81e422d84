import { asArray, asString, isObject, type JsonObject } from "../../../base/json.ts";
import type { SessionHead } from "../../../model/head.ts";
import { titleOfPrompt } from "../../../model/title.ts";
import type { SessionRef } from "../../contract.ts";
import { type KeyValues, pairs } from "../key-values.ts";
import { folderOf } from "../locate/composers.ts";
import { composerOf, hasBubbles } from "../read/composer.ts";
import { objectOf } from "../stored-json.ts";
import { headOf } from "./frame.ts";

/** What the record of a conversation says; undefined where nobody ever said anything in it. */
export function composerHead(
  ref: SessionRef,
  values: KeyValues,
  id: string,
): SessionHead | undefined {
  const record = composerOf(values, id);
  const headers = asArray(record?.["fullConversationHeadersOnly"]);
  const inline = asArray(record?.["conversation"]);
  const isEmpty = headers.length + inline.length === 0;
  // The program makes a record for every conversation that could begin.
  if (record !== undefined && isEmpty && !hasBubbles(values, id)) return undefined;
  const name = asString(record?.["name"]);
  const title = name || firstPrompt(values, id, [...inline, ...headers]);
  const { modelConfig, createdAt, lastUpdatedAt, status } = record ?? {};
  return headOf(
    ref,
    {
      title,
      titled: Boolean(name),
      created: createdAt,
      updated: lastUpdatedAt,
      cwd: ref.root || (record && folderOf(record, new Map())),
      model: isObject(modelConfig) ? asString(modelConfig["modelName"]) : undefined,
    },
    {
      state: stateOf(status),
      ...problemOf(record, isEmpty),
    },
  );
}

function problemOf(
  record: JsonObject | undefined,
  isEmpty: boolean,
): { readonly problem?: string } {
  if (record === undefined) return { problem: "The record of the conversation is damaged." };
  return isEmpty ? { problem: "The record of the conversation names no messages." } : {};
}

function stateOf(status: unknown): SessionHead["state"] {
  if (status === "completed") return "waiting";
  return status === "aborted" ? "interrupted" : "unknown";
}

/** The first prompts may be empty; further on nobody looks. */
const searchedBubbles = 4;

function firstPrompt(
  values: KeyValues,
  id: string,
  bubbles: readonly unknown[],
): string | undefined {
  for (const bubble of bubbles.slice(0, searchedBubbles)) {
    if (!isObject(bubble) || bubble["type"] !== 1) continue;
    const inline = asString(bubble["text"]);
    const text =
      inline ??
      asString(
        objectOf(values.get(pairs, `bubbleId:${id}:${String(bubble["bubbleId"])}`))?.["text"],
      );
    const title = titleOfPrompt(text ?? "");
    if (title !== "") return title;
  }
  return undefined;
}
