import { asArray, asString, isObject, type JsonObject } from "../base/json.ts";

/**
 * What is wrong with a call's input by its schema, in a sentence for the model; undefined where nothing is. Looks at what
 * is required and at the types of the fields, which is what models get wrong: the tool itself knows the rest.
 */
export function wrongInput(input: unknown, schema: JsonObject): string | undefined {
  if (!isObject(input)) return "The input must be an object.";
  for (const name of asArray(schema["required"])) {
    if (typeof name === "string" && input[name] === undefined)
      return `The input lacks ${JSON.stringify(name)}.`;
  }
  const fields = isObject(schema["properties"]) ? schema["properties"] : {};
  for (const [name, about] of Object.entries(fields)) {
    const wanted = isObject(about) ? asString(about["type"]) : undefined;
    const given = input[name];
    if (given === undefined || wanted === undefined || isOfType(given, wanted)) continue;
    return `${JSON.stringify(name)} must be of type ${wanted}.`;
  }
  return undefined;
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case "string":
    case "boolean":
    case "number":
      return typeof value === type;
    case "integer":
      return Number.isInteger(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "null":
      return value === null;
    default:
      return true;
  }
}
