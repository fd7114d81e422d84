import type { Environment } from "./env.ts";

/** Variables that were asked for; null where one was not set. */
export type AskedVariables = Readonly<Record<string, string | null>>;

/** An environment that remembers which of its variables were asked for. */
export function watchedEnvironment(env: Environment): {
  readonly env: Environment;
  asked(): AskedVariables;
} {
  const asked = new Map<string, string | null>();
  const variables = new Proxy(env.variables, {
    get(of, name) {
      const value = typeof name === "string" ? of[name] : undefined;
      if (typeof name === "string") asked.set(name, value ?? null);
      return value;
    },
  });
  return { env: { ...env, variables }, asked: () => Object.fromEntries(asked) };
}

/** Whether an environment answers what was asked for as the one before did. */
export function answersAlike({ variables }: Environment, asked: AskedVariables): boolean {
  return Object.entries(asked).every(([name, value]) => (variables[name] ?? null) === value);
}
