import { asArray, asString, isObject, parseObject } from "../../base/json.ts";
import type { ToolDialect } from "../../model/tool-dialect.ts";

/** The command a tool call runs in a shell, in any agent's words; undefined if it runs none. */
export function shellCommand(
  call: { readonly name: string; readonly input: unknown },
  dialects: readonly ToolDialect[],
): string | undefined {
  const { name } = call;
  const input = typeof call.input === "string" ? parseObject(call.input) : call.input;
  if (!isObject(input)) return undefined;
  for (const dialect of dialects) {
    const neutral = dialect.neutral({ name, input });
    if (neutral !== undefined) {
      return neutral.act === "shell" ? asString(neutral.args["command"]) : undefined;
    }
  }
  // A shell may be given its words one by one, the script last: ["bash", "-lc", "npm test"].
  const words = asArray(input["command"]).flatMap((word) => asString(word) ?? []);
  if (words.length > 0) return words.at(-1);
  return shellNames.test(name) ? (asString(input["command"]) ?? asString(input["cmd"])) : undefined;
}

/** Tools of agents that nobody described, by what such tools are called. */
const shellNames = /^(?:(?:local_|run_|unix_)?(?:bash|shell|terminal|exec|command)(?:_\w+)?)$/i;
