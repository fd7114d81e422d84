import { asArray, asString, isObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { extract } from "../../context/extract.ts";
import type { BridgeTask } from "../../model/bridge-event.ts";
import type { SessionEvent } from "../../model/event.ts";
import { type Facts, factsOfAnswer, factsOfPrompt } from "./facts.ts";
import { withoutSecrets } from "./secrets.ts";
import { shortPath } from "./short-path.ts";

/** What a whole path says a ledger: for agents without hooks, and where hooks were missed. */
export function factsOfPath(path: readonly SessionEvent[]): Facts {
  const { goal, laterPrompts, decisions, files, lastAnswer, state } = extract(path);
  const first = goal === undefined ? {} : factsOfPrompt(goal, { isFirst: true });
  const later = laterPrompts.flatMap((prompt) => factsOfPrompt(prompt, { isFirst: false }));
  const tasks = tasksIn(path);
  const changed = [...files].filter(([, action]) => action !== "read").map(([file]) => file);
  return {
    ...(first.goal !== undefined && { goal: first.goal }),
    constraints: [first, ...later].flatMap(({ constraints = [] }) => constraints),
    decisions: decisions.map(withoutSecrets),
    questions: lastAnswer === undefined ? [] : (factsOfAnswer(lastAnswer).questions ?? []),
    files: changed
      .slice(-limits.ledgerItems)
      .map((file) => withoutSecrets(shortPath(file, state.cwd))),
    ...(tasks.length > 0 && { tasks }),
  };
}

/** The newest list an agent keeps through a tool, and tasks of their own. */
function tasksIn(path: readonly SessionEvent[]): readonly BridgeTask[] {
  let list: readonly BridgeTask[] = [];
  const single = new Map<string, BridgeTask>();
  for (const event of path) {
    if (event.type === "task") {
      const name = withoutSecrets(event.title ?? event.task);
      single.set(name, { name, status: statusOf(event.status) });
    }
    const input = event.type === "tool_use" && isObject(event.input) ? event.input : {};
    const given = input["todos"] ?? input["plan"];
    if (!Array.isArray(given)) continue;
    list = asArray(given).flatMap((item) => {
      const name = isObject(item)
        ? (asString(item["content"]) ?? asString(item["step"]))
        : undefined;
      if (!isObject(item) || name === undefined || name.trim() === "") return [];
      return [{ name: withoutSecrets(name), status: statusOf(asString(item["status"])) }];
    });
  }
  return [...single.values(), ...list].slice(-limits.bridgeTasks);
}

function statusOf(status: string | undefined): BridgeTask["status"] {
  if (/^(?:done|completed?|cancell?ed|closed)$/i.test(status ?? "")) return "done";
  return /^(?:in[_ -]?progress|active|running|begun)$/i.test(status ?? "") ? "active" : "open";
}
