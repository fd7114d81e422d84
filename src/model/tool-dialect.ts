import { asString, type JsonObject } from "../base/json.ts";

/** What tools of every agent do alike. */
export type Act = "read" | "write" | "edit" | "shell" | "glob" | "grep";

/** What a call means, whatever the agent; `extra` are arguments only its agent understands, kept as they are. */
export interface NeutralCall {
  readonly act: Act;
  readonly args: JsonObject;
  readonly extra: JsonObject;
}

/** A call in one agent's words. */
export interface SpokenCall {
  readonly name: string;
  readonly input: JsonObject;
}

/** One tool of an agent: its name, and what it calls each neutral argument. */
export interface ToolWord {
  readonly act: Act;
  readonly name: string;
  readonly args: Readonly<Record<string, string>>;
}

/** How an agent's tools are called, so that a call can be reported in another agent's words. */
export interface ToolDialect {
  /** The call in neutral words, or undefined if it has no exact counterpart. */
  neutral(call: SpokenCall): NeutralCall | undefined;
  /** The call in this agent's words, or undefined if it cannot be said exactly. */
  spoken(call: NeutralCall): SpokenCall | undefined;
  /** What the tool of a name does, whatever its arguments; undefined if it is like no other agent's. */
  actOf?(name: string): Act | undefined;
}

/** Neutral arguments a call cannot do without. */
const needed: Readonly<Record<Act, readonly string[]>> = {
  read: ["path"],
  write: ["path", "content"],
  edit: ["path", "before", "after"],
  shell: ["command"],
  glob: ["pattern"],
  grep: ["pattern"],
};

/**
 * A dialect from a table of words. Translating there and back gives the same call: where that would not
 * hold, the call is kept as it is. `alike` are tools that do the same but do not translate.
 */
export function dialect(
  words: readonly ToolWord[],
  alike: Readonly<Partial<Record<Act, readonly string[]>>> = {},
): ToolDialect {
  const acts = new Map([
    ...Object.entries(alike).flatMap(([act, names]) =>
      names.map((name): [string, Act] => [name, act as Act]),
    ),
    ...words.map(({ name, act }): [string, Act] => [name, act]),
  ]);
  return {
    actOf: (name) => acts.get(name),
    neutral: ({ name, input }) => {
      const word = words.find((candidate) => candidate.name === name);
      if (word === undefined) return undefined;
      const neutralOf = new Map(Object.entries(word.args).map(([neutral, own]) => [own, neutral]));
      const args = renamed(input, (key) => neutralOf.get(key));
      const extra = renamed(input, (key) => (neutralOf.has(key) ? undefined : key));
      return needed[word.act].every((key) => asString(args[key]) !== undefined)
        ? { act: word.act, args, extra }
        : undefined;
    },
    spoken: ({ act, args, extra }) => {
      const word = words.find((candidate) => candidate.act === act);
      if (word === undefined) return undefined;
      const own = new Set(Object.values(word.args));
      if (Object.keys(extra).some((key) => own.has(key))) return undefined;
      if (Object.keys(args).some((key) => word.args[key] === undefined)) return undefined;
      const input = renamed(args, (key) => word.args[key]);
      return { name: word.name, input: renamed(extra, (key) => key, input) };
    },
  };
}

/** Adds an object's properties under other names; one whose new name is undefined is left out. */
function renamed(
  object: JsonObject,
  nameOf: (key: string) => string | undefined,
  into: Record<string, unknown> = {},
): Record<string, unknown> {
  for (const [key, value] of Object.entries(object)) {
    const name = nameOf(key);
    if (name === undefined) continue;
    // Defined, not assigned: a key may be `__proto__`.
    Object.defineProperty(into, name, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return into;
}
