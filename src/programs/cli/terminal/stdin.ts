import { RepriseError } from "../../../base/errors.ts";
import { isObject, type JsonObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";

/** One line of input with its number, from 1. */
export interface InputLine {
  readonly number: number;
  readonly text: string;
}

/** The lines of standard input as they arrive, blank ones left out; more than the limit is refused. */
export async function* inputLines(
  input: AsyncIterable<Buffer | string>,
): AsyncGenerator<InputLine> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  let bytes = 0;
  let number = 0;
  const decode = (chunk: Uint8Array | undefined): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (error) {
      throw new RepriseError("bad_input", "The input is not UTF-8.", { cause: error });
    }
  };
  for await (const chunk of input) {
    bytes += chunk.length;
    if (bytes > limits.stdinBytes) {
      throw new RepriseError("too_large", `The input has more than ${limits.stdinBytes} bytes.`);
    }
    rest += decode(Buffer.from(chunk));
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) {
      number += 1;
      if (text.trim() !== "") yield { number, text };
    }
  }
  rest += decode(undefined);
  if (rest.trim() !== "") yield { number: number + 1, text: rest };
}

/** The object a line holds; anything else is `bad_input` and names the line. */
export function objectOf({ number, text }: InputLine): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    const why = error instanceof Error ? error.message : "";
    throw new RepriseError("bad_input", `Line ${number} is not JSON: ${why}.`, { cause: error });
  }
  if (isObject(value)) return value;
  throw new RepriseError("bad_input", `Line ${number} is not a JSON object.`);
}
