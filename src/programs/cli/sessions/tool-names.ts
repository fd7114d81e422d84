import type { AgentEvent } from "../../../agents/contract.ts";
import { limits } from "../../../base/limits.ts";

/** The same events, each result with the name of its tool, so that it is known also where its call is not shown. */
export async function* withToolNames(
  events: AsyncIterable<AgentEvent>,
): AsyncGenerator<AgentEvent> {
  const names = new Map<string, string>();
  for await (const event of events) {
    const { body } = event;
    if (body.type === "tool_use" && names.size < limits.openToolCalls)
      names.set(body.call, body.name);
    const name = body.type === "tool_result" ? names.get(body.call) : undefined;
    if (body.type !== "tool_result" || body.name !== undefined || name === undefined) yield event;
    else yield { ...event, body: { ...body, name } };
    if (body.type === "tool_result") names.delete(body.call);
  }
}
