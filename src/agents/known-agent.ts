import { RepriseError } from "../base/errors.ts";

/** The name of an agent, if it is one of these; who misspelt it is told them. */
export function knownAgent<T extends string | undefined>(name: T, names: readonly string[]): T {
  if (name === undefined || names.includes(name)) return name;
  throw new RepriseError("usage", `There is no agent ${JSON.stringify(name)}.`, {
    hint: `Agents: ${names.join(", ")}.`,
  });
}
