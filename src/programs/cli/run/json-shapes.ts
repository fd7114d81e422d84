import type { ActionSpec, Command } from "./command.ts";

/**
 * What one action prints with `--json`. The shapes of a command begin with the actions they belong to, as in `list, inbox: {`;
 * a type that they name follows in a line like `Entry = {`. One without actions belongs to all of them.
 */
export function shapesOf({ json, actions = [] }: Command, action: ActionSpec): string {
  const names = new Set(actions.map(({ name }) => name));
  const shapes = json.split(/\n(?=\S)/);
  const typeOf = (shape: string): string | undefined => /^(?:type )?([A-Z]\w*) = /.exec(shape)?.[1];
  const isOfAction = (shape: string): boolean => {
    const head = /^([a-z][a-z, -]*): /.exec(shape)?.[1]?.split(", ") ?? [];
    const of = head.map((one) => one.split(" ")[0]!);
    return of.length === 0 || !of.every((name) => names.has(name)) || of.includes(action.name);
  };
  const own = shapes.filter((shape) => typeOf(shape) === undefined && isOfAction(shape));
  const named = shapes.filter((shape) => {
    const type = typeOf(shape);
    return type !== undefined && own.some((one) => new RegExp(`\\b${type}\\b`).test(one));
  });
  return [...own, ...named].join("\n");
}
