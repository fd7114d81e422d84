import { isoTime } from "../../../base/clock.ts";
import { asArray, asString, isObject, type JsonObject } from "../../../base/json.ts";
import type { RowPart } from "../../row-document.ts";
import { plainOfHtml } from "../plain-html.ts";

/** The prompts of a day and their answers, oldest first. */
export function* geminiParts(records: Iterable<JsonObject>): Generator<RowPart> {
  let ordinal = 0;
  for (const record of records) {
    ordinal += 1;
    const at = isoTime(record["time"]);
    const title = asString(record["title"]) ?? "";
    // In English; in other languages the word stays.
    const prompt = title.replace(/^(?:Prompted|Said|Asked) /, "");
    const native = record;
    if (prompt !== "")
      yield { number: String(ordinal), at, body: { type: "user", content: prompt }, native };
    const html = asArray(record["safeHtmlItem"])
      .filter(isObject)
      .map((one) => asString(one["html"]) ?? "");
    const answer = plainOfHtml(html.join("\n"));
    if (answer !== "")
      yield { number: `${ordinal}.2`, at, body: { type: "assistant", content: answer }, native };
  }
}
