import { RepriseError } from "../../base/errors.ts";
import { type JsonObject, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";

/** The objects that server-sent events carry, until the stream or its `[DONE]` ends; what is no JSON object is refused. */
export async function* eventObjects(body: AsyncIterable<Uint8Array>): AsyncGenerator<JsonObject> {
  for await (const data of eventTexts(body)) {
    if (data === "[DONE]") return;
    const object = parseObject(data, limits.modelEventBytes);
    if (object === undefined) {
      throw new RepriseError("model_failed", "The model's server sent an event that is not JSON.");
    }
    yield object;
  }
}

/** The data of each event; comments, names and ids are passed over. */
async function* eventTexts(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  let chars = 0;
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > limits.modelAnswerBytes) {
      throw new RepriseError("model_failed", "The model's answer does not end.");
    }
    rest += decoder.decode(chunk, { stream: true });
    // A line end may be cut in two: its second half is then an empty line that belongs to the first.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "") {
        if (data.length > 0) yield data.join("\n");
        data = [];
        chars = 0;
      } else if (line.startsWith("data:")) {
        data.push(line.slice(line[5] === " " ? 6 : 5));
        chars += line.length;
      }
    }
    if (chars + rest.length > limits.modelEventBytes) {
      throw new RepriseError("model_failed", "The model's server sent an event that is too large.");
    }
  }
  // Some servers end without the empty line.
  const line = rest + decoder.decode();
  if (line.startsWith("data:")) data.push(line.slice(5).trim());
  if (data.length > 0) yield data.join("\n");
}
