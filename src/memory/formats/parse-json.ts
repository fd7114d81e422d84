import { RepriseError } from "../../base/errors.ts";

/** The value of a JSON text; throws `bad_input` that says if it stands if it is none. */
export function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RepriseError("bad_input", `This is not JSON: ${where}.`, { cause });
  }
}
