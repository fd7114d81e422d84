import type { Agent, Written } from "../agents/contract.ts";
import type { Environment } from "../base/env.ts";
import { RepriseError } from "../base/errors.ts";
import { asString, isObject } from "../base/json.ts";
import { record } from "../log/journal.ts";
import type { EventId } from "../model/event.ts";
import type { SessionHead } from "../model/head.ts";
import type { Home } from "../store/home.ts";
import { registerUndo } from "../store/undo.ts";
import type { Converted } from "./convert.ts";

/** The kind of the journal's entries about conversions. */
const kind = "convert";

/** Writes down where a session came from and exactly what was added, so that it can be taken back. */
export function recordConversion(home: Home, head: SessionHead, converted: Converted): EventId {
  const { written, losses } = converted;
  const from = { agent: head.agent, session: head.session };
  const to = { agent: written.ref.agent, session: written.ref.session };
  return record(home.journal, kind, { from, to, written, losses });
}

/** Lets `undo` take conversions back, through the agents that wrote them. */
export function registerConversionUndo(agents: readonly Agent[], env: Environment): void {
  registerUndo(kind, async (_home, data) => {
    const written = data["written"];
    const ref = isObject(written) ? written["ref"] : undefined;
    const name = isObject(ref) ? asString(ref["agent"]) : undefined;
    const writer = agents.find((agent) => agent.name === name)?.writer;
    if (writer === undefined || !isObject(written)) {
      throw new RepriseError("unsupported", "The agent this was written for is not known here.");
    }
    await (await writer()).takeBack(written as unknown as Written, env);
    return `removed ${name}:${isObject(ref) ? asString(ref["session"]) : ""}`;
  });
}
