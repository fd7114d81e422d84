import { asString, isObject, type JsonObject } from "../../../base/json.ts";
import { isExtension } from "./msgpack.ts";

/**
 * A value as both languages mean it, of JSON alone. A message or any other object becomes
 * `{ class, fields }`; what only Python can make again is reported by its words. Nothing is ever constructed.
 */
export function plainValue(value: unknown): unknown {
  if (isExtension(value)) return plainExtension(value.extension, value.value);
  if (value instanceof Uint8Array) return `(${value.length} bytes)`;
  if (Array.isArray(value)) return value.map(plainValue);
  if (!isObject(value)) return value;
  const made = plainConstructor(value);
  return made ?? plainFields(value);
}

function plainFields(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plainValue(inner)]));
}

/** LangChain's way to write objects in JSON. */
function plainConstructor(value: JsonObject): unknown {
  const { lc, type, id, kwargs } = value;
  if (lc === 1 && type === "constructor" && Array.isArray(id)) {
    const fields = plainFields(isObject(kwargs) ? kwargs : {});
    return { class: asString(id.at(-1)) ?? "", fields };
  }
  if (lc !== 2) return undefined;
  if (type === "undefined") return null;
  if (type === "delta_snapshot") return plainValue(value["value"]);
  if (type !== "constructor") return undefined;
  const args = Array.isArray(value["args"]) ? value["args"].map(plainValue) : [];
  return args.length === 1 ? args[0] : args;
}

/** What each code of the Python serializer holds: the module, the name, and what it is made of. */
function plainExtension(code: number, value: unknown): unknown {
  if (code === 7) return plainValue(value);
  if (!Array.isArray(value)) return `(extension ${code})`;
  const [, name, made] = value;
  switch (code) {
    case 0:
    case 1:
    case 3:
      return plainValue(made);
    case 2:
    case 4:
    case 5: {
      const fields = plainValue(made);
      return { class: asString(name) ?? "", fields: isObject(fields) ? fields : { value: fields } };
    }
    case 6:
      return `(array of ${String(value[0])})`;
    default:
      return `(extension ${code})`;
  }
}
