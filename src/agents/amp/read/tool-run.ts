import { asString, isObject, type JsonObject } from "../../../base/json.ts";

/** What the run of a tool answered, as the model is reported it: a text, or the fields of an object as elements. */
export function answerOf(run: JsonObject): string {
  const { result, error, reason } = run;
  if (typeof result === "string") return result;
  if (isObject(result)) return Object.entries(result).map(element).join("\n");
  if (isObject(error)) return asString(error["message"]) ?? JSON.stringify(error);
  const why = asString(error) ?? asString(reason);
  if (why !== undefined) return why;
  return result === undefined ? "" : JSON.stringify(result);
}

function element([name, value]: readonly [string, unknown]): string {
  return `<${name}>${typeof value === "string" ? value : JSON.stringify(value)}</${name}>`;
}

const failures = /^(?:error|cancelled|rejected-by-user)$/;

/** Whether a run failed or was not let happen; a command that ends with an error code is done, as for the program. */
export function isFailure(run: JsonObject): boolean {
  return failures.test(asString(run["status"]) ?? "");
}
