import type { AgentEvent } from "../../../agents/contract.ts";
import { limits } from "../../../base/limits.ts";
import { toolSubject } from "../render/tool-header.ts";
import type { AnsweringEvent } from "../render/view.ts";

/**
 * The same events, each result with the name of its tool and what its call was about, so that both are known also where the
 * call is not shown.
 */
export async function* withToolNames(
  events: AsyncIterable<AgentEvent>,
): AsyncGenerator<AnsweringEvent> {
  const calls = new Map<string, { readonly name: string; readonly subject: string }>();
  for await (const event of events) {
    const { body } = event;
    if (body.type === "tool_use" && calls.size < limits.openToolCalls)
      calls.set(body.call, { name: body.name, subject: toolSubject(body.input) });
    const call = body.type === "tool_result" ? calls.get(body.call) : undefined;
    if (body.type !== "tool_result" || call === undefined) yield event;
    else yield { ...event, body: { name: call.name, ...body }, answers: call.subject };
    if (body.type === "tool_result") calls.delete(body.call);
  }
}
