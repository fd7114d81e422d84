import { asString, isObject, type JsonObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import type { EventBody } from "../../../model/event.ts";
import { type KeyValues, pairs } from "../key-values.ts";
import { textOf } from "../stored-json.ts";
import { hasFailed, parsed } from "./bubbles.ts";

/**
 * The file that a bubble's call changed, if its arguments do not say how: newer versions keep the whole file before and
 * after under keys of their own.
 */
export function editedFile(bubble: JsonObject, values: KeyValues): readonly EventBody[] {
  const data = bubble["toolFormerData"];
  if (!isObject(data) || data["name"] !== "edit_file_v2") return [];
  const [params, result] = [parsed(data["params"]), parsed(data["result"])];
  const path = isObject(params) ? asString(params["relativeWorkspacePath"]) : undefined;
  if (path === undefined || !isObject(result) || hasFailed(data)) return [];
  const before = contentOf(result["beforeContentId"], values);
  const after = contentOf(result["afterContentId"], values);
  const isNew = before === undefined || before === "";
  const texts = isNew ? { content: after } : { before, after };
  const action = isNew ? "created" : "modified";
  return [{ type: "file", path, action, ...(after !== undefined && { data: texts }) }];
}

function contentOf(id: unknown, values: KeyValues): string | undefined {
  const key = asString(id);
  if (key === undefined || !key.startsWith("composer.content.")) return undefined;
  const text = textOf(values.get(pairs, key));
  return text !== undefined && text.length <= limits.documentBytes ? text : undefined;
}
