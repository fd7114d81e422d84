import { RepriseError } from "../base/errors.ts";
import { nearName } from "../base/near-name.ts";

/**
 * The agent a name means: itself, one whose name begins with this word (`claude`, the first one listed where several do),
 * or the only one that begins with these letters. Who misspelt it is reported what they may have meant.
 */
export function knownAgent<T extends string | undefined>(name: T, names: readonly string[]): T {
  if (name === undefined) return name;
  const found = agentMeant(name, names);
  if (found !== undefined) return found as T;
  const near = nearName(name, names);
  throw new RepriseError("usage", `There is no agent ${JSON.stringify(name)}.`, {
    hint: `${near === undefined ? "" : `Did you mean ${near}? `}Agents: ${names.join(", ")}.`,
  });
}

/** The same, or undefined if no agent is meant. */
export function agentMeant(name: string, names: readonly string[]): string | undefined {
  if (name === "" || names.includes(name)) return name === "" ? undefined : name;
  const lower = name.toLowerCase();
  const byWord = names.find((one) => one.startsWith(`${lower}-`));
  if (byWord !== undefined) return byWord;
  const byLetters = names.filter((one) => one.startsWith(lower));
  return byLetters.length === 1 ? byLetters[0] : undefined;
}
