import { isObject, type JsonObject } from "../../../base/json.ts";
import type { Command } from "../run/command.ts";

/** What was typed, with the user's own values of flags that were not; none where a program asks. */
export function withDefaults(
  command: Command,
  words: readonly string[],
  settings: JsonObject,
): readonly string[] {
  const defaults = isObject(settings["defaults"]) ? settings["defaults"][command.name] : undefined;
  if (!isObject(defaults) || words.includes("--json")) return words;
  const added = Object.entries(defaults).flatMap(([name, value]) => {
    const spec = command.flags.find(({ flags }) => flags.split(/[ ,]+/).includes(`--${name}`));
    const names = spec?.flags.split(/[ ,]+/).filter((word) => word.startsWith("-")) ?? [];
    const isTyped = words.some((word) =>
      names.some((one) => word === one || word.startsWith(`${one}=`)),
    );
    if (spec === undefined || isTyped) return [];
    if (spec.kind === "switch") return value === true || value === "yes" ? [`--${name}`] : [];
    return [`--${name}`, String(value)];
  });
  return added.length === 0 ? words : [...words, ...added];
}
