import type { FlagValues } from "./command.ts";

/** Values read once; a name nobody gave is absent. */
export function flagValues(values: ReadonlyMap<string, unknown>): FlagValues {
  return {
    isSet: (name) => values.get(name) !== undefined && values.get(name) !== false,
    text: (name) => {
      const value = values.get(name);
      return typeof value === "string" ? value : undefined;
    },
    texts: (name) => {
      const value = values.get(name);
      return Array.isArray(value) ? value.map(String) : [];
    },
    number: (name) => {
      const value = values.get(name);
      return typeof value === "number" ? value : undefined;
    },
  };
}
